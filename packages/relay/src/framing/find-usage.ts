import { type AnswerScan, parseJson, type UsageClaim } from '@headgate/dialects';

/** Smaller ones are read faster than they are searched. */
const smallest = 4096;
export const longestUsage = 4096;

/**
 * The usage that a long answer tells, found without reading the whole of it: most of it is text or numbers that are
 * passed on as they came. Undefined when that leaves any doubt; then it must be read. A field's name never stands inside
 * a text as it is looked for, since quotes are escaped there.
 */
export function findUsage(body: Buffer, scan: AnswerScan, answersText: boolean): UsageClaim | undefined {
  if (body.length < smallest || body[0] !== brace) return undefined;
  const text = body.toString('latin1');
  const { said, usage, error } = scan.fields;
  const after = usage.after(text);
  const isSure = after !== -1 && after === usage.afterLast(text) && error.after(text) === -1;
  if (!isSure || (answersText && said.after(text) === -1) || !/\}\s*$/.test(text.slice(-8))) return undefined;
  const end = endOfObject(text, after);
  return end === -1 ? undefined : scan.readUsage(parseJson(body.toString('utf8', after, end)));
}

const brace = 0x7b;

/** Where the object at `from` ends; -1 when there is none, or none so short. */
export function endOfObject(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < Math.min(text.length, from + longestUsage); at += 1) {
    const character = text[at];
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    else if (depth === 0 && character !== ' ') return -1;
    if (depth === 0 && character === '}') return at + 1;
  }
  return -1;
}
