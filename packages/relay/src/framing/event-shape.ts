import type { SoughtField } from '@headgate/dialects';
import type { AnswerTexts } from '../tokens/answer-texts.ts';

/** The longest text that is taken by its shape; longer ones may carry files, and are parsed. */
const longestText = 4096;
const longestLine = 4 * longestText;

/**
 * The shape of an event: another that differs from it in its text alone need not be parsed. Finding the text so takes 0.1 µs
 * instead of the 1.0 of `JSON.parse` (`node scripts/bench/plain-forms.ts`). Strings hold a byte in each character, and are compared
 * as slices, which takes a fraction of the time that looking for the one at a place of the other does.
 */
export class EventShape {
  /** The list in which all stands that an event says. */
  readonly #said: SoughtField;
  /** What stands before and behind the text in that list. */
  readonly #before: string;
  readonly #behind: string;
  readonly thread: string;
  /** What stood before and behind the list of an event in which nothing else was found. */
  #head: string;
  #tail: string;
  /** Where the text of the last event that has this shape begins and ends. */
  from = 0;
  to = 0;
  /** What of that event may hold more than its text. */
  unsearched = '';

  private constructor(
    said: SoughtField,
    around: readonly [head: string, before: string, behind: string, tail: string],
    thread: string,
  ) {
    this.#said = said;
    [this.#head, this.#before, this.#behind, this.#tail] = around;
    this.thread = thread;
  }

  /** The shape of an event that says one text and holds nothing else of interest; undefined for any other. */
  static of(line: string, { texts, tokens }: AnswerTexts, field: SoughtField): EventShape | undefined {
    const [said, other] = texts;
    const start = field.after(line);
    if (!said || other || tokens > 0 || start === -1 || line.length > longestLine) return undefined;
    const end = endOfList(line, start);
    let from = nextText(line, start);
    while (from !== -1 && from < end) {
      const to = closingQuote(line, from);
      if (to === -1) return undefined;
      if (textBetween(line, from, to) === said.text) {
        const around = [line.slice(0, start), line.slice(start, from), line.slice(to, end), line.slice(end)] as const;
        return new EventShape(
          field,
          [copyOf(around[0]), copyOf(around[1]), copyOf(around[2]), copyOf(around[3])],
          said.thread,
        );
      }
      from = nextText(line, to);
    }
    return undefined;
  }

  /** For another stream, whose events will change what this one remembers. */
  copy(): EventShape {
    return new EventShape(this.#said, [this.#head, this.#before, this.#behind, this.#tail], this.thread);
  }

  /** Whether an event has this shape; then it is known where its text stands. */
  fits(line: string): boolean {
    const isHeadKnown = line.slice(0, this.#head.length) === this.#head;
    const start = isHeadKnown ? this.#head.length : this.#said.after(line);
    const from = start + this.#before.length;
    if (start === -1 || line.slice(start, from) !== this.#before) return false;
    const to = closingQuote(line, from);
    const end = to + this.#behind.length;
    if (to === -1 || to - from > longestText || line.slice(to, end) !== this.#behind) return false;
    this.from = from;
    this.to = to;
    const tail = line.slice(end);
    if (!isHeadKnown) this.unsearched = line;
    else this.unsearched = tail === this.#tail ? '' : tail;
    return true;
  }

  /** Nothing was found in the last event that fits, but for its text: others will look alike. */
  remember(line: string): void {
    if (this.unsearched !== line) return;
    this.#head = copyOf(line.slice(0, this.from - this.#before.length));
    this.#tail = copyOf(line.slice(this.to + this.#behind.length));
  }
}

/** What events say that say nothing, as the first and the last of a stream do; few are seen, and again and again. */
const silentLists: string[] = [];
const mostSilent = 8;
const longestSilent = 512;

/** Whether it is known, without reading it, that an event says nothing. */
export function isKnownSilent(line: string, said: SoughtField): boolean {
  const start = said.after(line);
  return start !== -1 && silentLists.some((list) => line.slice(start, start + list.length) === list);
}

/** An event was read and says nothing: others will look alike. */
export function rememberSilent(line: string, said: SoughtField): void {
  const start = said.after(line);
  if (start === -1 || line.length - start > longestSilent) return;
  silentLists.unshift(copyOf(line.slice(start, endOfList(line, start))));
  silentLists.splice(mostSilent);
}

/** Where the next text that is a field's value begins; -1 when there is none. */
function nextText(line: string, from: number): number {
  for (let colon = line.indexOf('":', from); colon !== -1; colon = line.indexOf('":', colon + 1)) {
    let at = colon + 2;
    while (line[at] === ' ') at += 1;
    if (line[at] === '"') return at + 1;
  }
  return -1;
}

/** A part of a longer string keeps all of it in memory. */
const copyOf = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** What stands between these quotes; as it is written when that cannot be read. */
export function textBetween(line: string, from: number, to: number): string {
  const characters = Buffer.from(line.slice(from, to), 'latin1').toString('utf8');
  if (!characters.includes('\\')) return characters;
  try {
    // trusted JSON: one string, without structure.
    return String(JSON.parse(`"${characters}"`));
  } catch {
    return characters;
  }
}

/** Where the list that begins at `from` ends, or the line. */
function endOfList(line: string, from: number): number {
  let depth = 0;
  for (let at = from; at < line.length; at += 1) {
    const character = line.charAt(at);
    depth += steps[character] ?? 0;
    if (depth === 0) return at + 1;
    const quote = character === '"' ? closingQuote(line, at + 1) : at;
    if (quote === -1) break;
    at = quote;
  }
  return line.length;
}

const steps: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

/** Where the text that begins at `from` ends; an escaped quote does not end it. */
function closingQuote(line: string, from: number): number {
  let at = line.indexOf('"', from);
  while (at !== -1 && isEscaped(line, at)) at = line.indexOf('"', at + 1);
  return at;
}

function isEscaped(line: string, at: number): boolean {
  let backslashes = 0;
  while (line[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
