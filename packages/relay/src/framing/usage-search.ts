import { parseJson } from '@headgate/dialects';
import { endOfObject, longestUsage } from './find-usage.ts';

/**
 * Looks for the usage in an answer that goes by in pieces and is kept by nobody. The last one that can be read counts. A
 * field's name never stands inside a text as it is looked for, since quotes are escaped there.
 */
export class UsageSearch<Claim> {
  #rest = '';
  readonly #field: string;
  readonly #read: (usage: unknown) => Claim | undefined;
  /** Undefined while none was found. */
  usage: Claim | undefined;

  /** `field` is the name of the field as it is written. */
  constructor(field: string, read: (usage: unknown) => Claim | undefined) {
    this.#field = field;
    this.#read = read;
  }

  push(chunk: Buffer): void {
    const field = this.#field;
    const text = this.#rest + chunk.toString('latin1');
    for (let at = text.indexOf(field); at !== -1; at = text.indexOf(field, at + field.length)) {
      const from = at + field.length;
      const end = endOfObject(text, from);
      if (end !== -1)
        this.usage = this.#read(parseJson(Buffer.from(text.slice(from, end), 'latin1').toString('utf8'))) ?? this.usage;
    }
    // One that was cut in two is found again with what follows.
    this.#rest = text.slice(-(longestUsage + field.length));
  }
}
