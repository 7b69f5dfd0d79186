import { parseJson } from '@headgate/dialects';
import { endOfObject, longestUsage } from './told-usage.ts';

const field = '"usage":';

/**
 * Looks for the usage in an answer that goes by in pieces and is kept by nobody. The last one that can be read counts. A
 * field's name never stands inside a text as it is looked for, since quotes are escaped there.
 */
export class UsageSearch {
  #rest = '';
  /** Undefined while none was found. */
  usage: unknown;

  push(chunk: Buffer): void {
    const text = this.#rest + chunk.toString('latin1');
    for (let at = text.indexOf(field); at !== -1; at = text.indexOf(field, at + field.length)) {
      const from = at + field.length;
      const end = endOfObject(text, from);
      if (end !== -1)
        this.usage = parseJson(Buffer.from(text.slice(from, end), 'latin1').toString('utf8')) ?? this.usage;
    }
    // One that was cut in two is found again with what follows.
    this.#rest = text.slice(-(longestUsage + field.length));
  }
}
