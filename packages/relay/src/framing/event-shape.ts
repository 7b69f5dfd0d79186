import type { FieldSearch } from '@headgate/dialects';
import type { ResponseTexts } from '../tokens/response-texts.ts';

/** Longest text that is matched by shape; longer ones may contain files and are parsed. */
const maxTextLength = 4096;
const maxLineLength = 4 * maxTextLength;

/**
 * Shape of an event: a later event that differs only in its text need not be parsed. Finding the text this way takes
 * 0.1 µs instead of 1.0 µs with `JSON.parse` (`node scripts/bench/plain-forms.ts`). Strings hold one byte per character
 * and are compared as slices, which is much faster than comparing at an offset.
 */
export class EventShape {
  /** Field whose list contains all content of an event. */
  readonly #sent: FieldSearch;
  /** JSON before and after the text inside the content list. */
  readonly #before: string;
  readonly #behind: string;
  readonly thread: string;
  /** JSON before and after the content list of an event without other content. */
  #head: string;
  #tail: string;
  /** Start and end of the text in the last event that matched this shape. */
  from = 0;
  to = 0;
  /** Part of the last matching event that may contain more than its text. */
  unsearched = '';

  private constructor(
    textField: FieldSearch,
    around: readonly [head: string, before: string, behind: string, tail: string],
    thread: string,
  ) {
    this.#sent = textField;
    [this.#head, this.#before, this.#behind, this.#tail] = around;
    this.thread = thread;
  }

  /** Returns the shape of an event with exactly one text and no other content; undefined for other events. */
  static of(line: string, { texts, tokens }: ResponseTexts, field: FieldSearch): EventShape | undefined {
    const [textField, other] = texts;
    const start = field.after(line);
    if (!textField || other || tokens > 0 || start === -1 || line.length > maxLineLength) return undefined;
    const end = endOfList(line, start);
    let from = nextText(line, start);
    while (from !== -1 && from < end) {
      const to = closingQuote(line, from);
      if (to === -1) return undefined;
      if (unescapedText(line, from, to) === textField.text) {
        const around = [line.slice(0, start), line.slice(start, from), line.slice(to, end), line.slice(end)] as const;
        return new EventShape(
          field,
          [copyOf(around[0]), copyOf(around[1]), copyOf(around[2]), copyOf(around[3])],
          textField.thread,
        );
      }
      from = nextText(line, to);
    }
    return undefined;
  }

  /** Copy for another stream, because matching changes the state. */
  copy(): EventShape {
    return new EventShape(this.#sent, [this.#head, this.#before, this.#behind, this.#tail], this.thread);
  }

  /** True if an event has this shape. If so, sets the position of its text. */
  fits(line: string): boolean {
    const isHeadKnown = line.slice(0, this.#head.length) === this.#head;
    const start = isHeadKnown ? this.#head.length : this.#sent.after(line);
    const from = start + this.#before.length;
    if (start === -1 || line.slice(start, from) !== this.#before) return false;
    const to = closingQuote(line, from);
    const end = to + this.#behind.length;
    if (to === -1 || to - from > maxTextLength || line.slice(to, end) !== this.#behind) return false;
    this.from = from;
    this.to = to;
    const tail = line.slice(end);
    if (!isHeadKnown) this.unsearched = line;
    else this.unsearched = tail === this.#tail ? '' : tail;
    return true;
  }

  /** Records that the last matching event contained only its text, so that similar events are recognized. */
  remember(line: string): void {
    if (this.unsearched !== line) return;
    this.#head = copyOf(line.slice(0, this.from - this.#before.length));
    this.#tail = copyOf(line.slice(this.to + this.#behind.length));
  }
}

/** Content lists of events without content, such as the first and last event of a stream. Only a few variants occur. */
const emptyLists: string[] = [];
const maxEmptyLists = 8;
const maxEmptyListLength = 512;

/** True if an event is known to have no content, without parsing it. */
export function isKnownEmptyEvent(line: string, textField: FieldSearch): boolean {
  const start = textField.after(line);
  return start !== -1 && emptyLists.some((list) => line.slice(start, start + list.length) === list);
}

/** Records the list of an event that was parsed and has no content. */
export function recordEmptyEvent(line: string, textField: FieldSearch): void {
  const start = textField.after(line);
  if (start === -1 || line.length - start > maxEmptyListLength) return;
  emptyLists.unshift(copyOf(line.slice(start, endOfList(line, start))));
  emptyLists.splice(maxEmptyLists);
}

/** Start of the next string that is a field's value; -1 if there is none. */
function nextText(line: string, from: number): number {
  for (let colon = line.indexOf('":', from); colon !== -1; colon = line.indexOf('":', colon + 1)) {
    let at = colon + 2;
    while (line[at] === ' ') at += 1;
    if (line[at] === '"') return at + 1;
  }
  return -1;
}

/** A slice of a longer string would keep all of it in memory. */
const copyOf = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** Text between these quotes, unescaped; raw if that fails. */
export function unescapedText(line: string, from: number, to: number): string {
  const characters = Buffer.from(line.slice(from, to), 'latin1').toString('utf8');
  if (!characters.includes('\\')) return characters;
  try {
    // trusted JSON: one string, without structure.
    return String(JSON.parse(`"${characters}"`));
  } catch {
    return characters;
  }
}

/** End of the list that starts at `from`, or of the line. */
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

/** Closing quote of the text that starts at `from`, skipping escaped quotes. */
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
