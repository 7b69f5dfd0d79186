import { parseJson } from '@headgate/dialects';
import { findObjectEnd, maxUsageLength } from './find-usage.ts';

/**
 * Searches for usage in a response that passes in pieces and is not buffered. The last valid usage counts. The search
 * for a field name never matches inside a string, where quotes are escaped.
 */
export class UsageSearch<Claim> {
  #rest = '';
  readonly #field: string;
  readonly #read: (usage: unknown) => Claim | undefined;
  /** Undefined until found. */
  usage: Claim | undefined;

  /** `field` is the name of the field as it appears in JSON. */
  constructor(field: string, read: (usage: unknown) => Claim | undefined) {
    this.#field = field;
    this.#read = read;
  }

  push(chunk: Buffer): void {
    const field = this.#field;
    const text = this.#rest + chunk.toString('latin1');
    for (let at = text.indexOf(field); at !== -1; at = text.indexOf(field, at + field.length)) {
      const from = at + field.length;
      const end = findObjectEnd(text, from);
      if (end !== -1)
        this.usage = this.#read(parseJson(Buffer.from(text.slice(from, end), 'latin1').toString('utf8'))) ?? this.usage;
    }
    // Kept so that usage split across two chunks is found when the next chunk arrives.
    this.#rest = text.slice(-(maxUsageLength + field.length));
  }
}
