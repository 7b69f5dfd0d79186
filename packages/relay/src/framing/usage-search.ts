import { parseJson, type ResponseScan, type UnverifiedUsage } from '@headgate/dialects';

/**
 * Searches for usage in a response that arrives in chunks and is not buffered. The last valid usage counts. The search
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
    // Buffered so that usage split across two chunks is found when the next chunk arrives.
    this.#rest = text.slice(-(maxUsageLength + field.length));
  }
}

/** For smaller bodies, parsing is faster than searching. */
const smallest = 4096;
const maxUsageLength = 4096;

/**
 * Finds the usage of a long response without parsing all of it: most of it is text or numbers that pass through
 * unchanged. Returns undefined if in doubt; the caller then parses the body. The search for a field name never matches
 * inside a string, where quotes are escaped.
 */
export function findUsage(body: Buffer, scan: ResponseScan, isText: boolean): UnverifiedUsage | undefined {
  if (body.length < smallest || body[0] !== brace) return undefined;
  const text = body.toString('latin1');
  const { content, usage, error } = scan.fields;
  const after = usage.after(text);
  const isSure = after !== -1 && after === usage.afterLast(text) && error.after(text) === -1;
  if (!isSure || (isText && content.after(text) === -1) || !/\}\s*$/.test(text.slice(-8))) return undefined;
  const end = findObjectEnd(text, after);
  return end === -1 ? undefined : scan.readUsage(parseJson(body.toString('utf8', after, end)));
}

const brace = 0x7b;

/** End of the object at `from`; -1 if there is none within the length limit. */
function findObjectEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < Math.min(text.length, from + maxUsageLength); at += 1) {
    const character = text[at];
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    else if (depth === 0 && character !== ' ') return -1;
    if (depth === 0 && character === '}') return at + 1;
  }
  return -1;
}
