import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type JsonObject, shortFields } from '@headgate/dialects';
import { RelayError } from '../ports/relay-error.ts';

/** Position of a string in the body, including its quotes. */
export interface StringRange {
  readonly start: number;
  readonly end: number;
}

const maxOfOneLength = 4;
const maxLongNames = 32;

interface LongString {
  readonly text: string;
  readonly bytes: Buffer;
}

/**
 * Original bytes, with quotes, of strings that are too long to be parsed or serialized in one step. Not a map by
 * string: V8 hashes such strings by length alone, and looking up thousands of equal length takes minutes. Only a few of
 * each length are stored; others are serialized like short strings.
 */
export class LongStrings {
  readonly #byLength = new Map<number, LongString[]>();

  constructor(strings: Iterable<LongString> = []) {
    for (const { text, bytes } of strings) this.add(text, bytes);
  }

  get(text: string): Buffer | undefined {
    return this.#byLength.get(text.length)?.find((each) => each.text === text)?.bytes;
  }

  add(text: string, bytes: Buffer): void {
    const known = this.#byLength.get(text.length);
    if (!known) this.#byLength.set(text.length, [{ text, bytes }]);
    else if (!this.holds(text)) known.push({ text, bytes });
  }

  /** True if the string is stored, or the maximum number of strings of its length is stored. */
  holds(text: string): boolean {
    const known = this.#byLength.get(text.length) ?? [];
    return known.length >= maxOfOneLength || known.some((each) => each.text === text);
  }
}

const pieceBytes = 256 * 1024;
/** Bytes decoded before the event loop runs other requests. */
const bytesAtOnce = 1024 * 1024;

/** Placeholder prefix that no client can guess. */
const secret = randomUUID();
const placeholderOf = (index: number) => `"${secret}${index}"`;
const indexIn = (text: string) => Number(text.slice(secret.length));

/** Returns the body with a short placeholder for each long string. */
export function withoutLongStrings(bytes: Buffer, ranges: readonly StringRange[]): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const [index, { start, end }] of ranges.entries()) {
    parts.push(bytes.subarray(at, start), Buffer.from(placeholderOf(index)));
    at = end;
  }
  return Buffer.concat([...parts, bytes.subarray(at)]);
}

/** Decodes the strings in chunks, so that other requests never wait for more than one chunk. */
export async function decodeStrings(bytes: Buffer, ranges: readonly StringRange[]): Promise<string[]> {
  const strings: string[] = [];
  let sinceTurn = 0;
  for (const { start, end } of ranges) {
    let text = '';
    for (let at = start + 1; at < end - 1; ) {
      const cut = end - 1 - at > pieceBytes ? safeCut(bytes, at + pieceBytes, at) : end - 1;
      text += decodePiece(bytes.subarray(at, cut));
      sinceTurn += cut - at;
      at = cut;
      if (sinceTurn < bytesAtOnce) continue;
      sinceTurn = 0;
      await nextTurn();
    }
    strings.push(text);
  }
  return strings;
}

/** Replaces the placeholders with their strings; throws if a placeholder is not a field value. */
export function restoreLongStrings(body: JsonObject, strings: readonly string[]): JsonObject {
  const filling = new Filling(strings);
  filling.fill(body);
  if (filling.found !== strings.length) throw new RelayError(400, 'A name is too long', null, 'invalid_request_error');
  return body;
}

/** Replaces the placeholders directly in the parsed value, which is not shared yet. */
class Filling {
  readonly #strings: readonly string[];
  found = 0;
  #longNames = 0;

  constructor(strings: readonly string[]) {
    this.#strings = strings;
  }

  /** Limits the length of names and ids that are used as map keys. */
  #countName(field: string): void {
    this.#longNames += 1;
    if (this.#longNames > maxLongNames)
      throw new RelayError(400, `${field} is too long`, null, 'invalid_request_error');
  }

  /** `name` is the field that contains the container. */
  fill(container: object, name = ''): void {
    if (Array.isArray(container)) for (let at = 0; at < container.length; at += 1) this.#fillPlace(container, at, name);
    else for (const key of Object.keys(container)) this.#fillPlace(container as Record<string, unknown>, key, name);
  }

  #fillPlace<Place extends string | number>(container: Record<Place, unknown>, place: Place, name: string): void {
    const value = container[place];
    const field = typeof place === 'string' ? place : name;
    if (typeof value === 'object' && value !== null) this.fill(value, field);
    else if (typeof value === 'string' && value.startsWith(secret)) {
      if (shortFields.has(field)) this.#countName(field);
      container[place] = this.#strings[indexIn(value)] ?? '';
      this.found += 1;
    }
  }
}

/** Adds the missing long strings of a value, serialized in chunks. */
export async function encodeStrings(value: unknown, written: LongStrings): Promise<void> {
  let sinceTurn = 0;
  for (const text of stringsIn(value)) {
    if (text.length < shortestLong || written.holds(text)) continue;
    const pieces = [quote];
    for (let at = 0; at < text.length; at += pieceBytes) {
      // A surrogate pair that is split here is escaped as two halves, which are parsed as one character again.
      pieces.push(Buffer.from(JSON.stringify(text.slice(at, at + pieceBytes)).slice(1, -1)));
      sinceTurn += Math.min(pieceBytes, text.length - at);
      if (sinceTurn < bytesAtOnce) continue;
      sinceTurn = 0;
      await nextTurn();
    }
    written.add(text, Buffer.concat([...pieces, quote]));
  }
}

const shortestLong = 16 * 1024;
const quote = Buffer.from('"');

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) yield* stringsIn(part);
}

export const isLongString = (text: string): boolean => text.startsWith(secret);

/** Serializes JSON, using the original bytes of long strings. */
export function stringify(value: unknown, longStrings: LongStrings | undefined): Buffer {
  if (!longStrings) return Buffer.from(JSON.stringify(value));
  const used: Buffer[] = [];
  const text = JSON.stringify(value, (_, part: unknown) => {
    const raw = typeof part === 'string' ? longStrings.get(part) : undefined;
    return raw === undefined ? part : `${secret}${used.push(raw) - 1}`;
  });
  const [first = '', ...rest] = text.split(`"${secret}`);
  const parts = rest.flatMap((after) => {
    const end = after.indexOf('"');
    return [used[Number(after.slice(0, end))] ?? Buffer.alloc(0), Buffer.from(after.slice(end + 1))];
  });
  return Buffer.concat([Buffer.from(first), ...parts]);
}

function decodePiece(piece: Buffer): string {
  try {
    // trusted JSON: one string, without structure.
    if (isUtf8(piece)) return JSON.parse(`"${piece.toString('utf8')}"`) as string;
  } catch {
    // The error is thrown below.
  }
  throw new RelayError(400, 'The body is not valid JSON', 'invalid_json', 'invalid_request_error');
}

const backslash = 0x5c;
const maxEscapeLength = 6;

/** The last position up to `wanted` that is neither inside a character nor inside an escape. */
function safeCut(bytes: Buffer, wanted: number, from: number): number {
  let cut = wanted;
  while (((bytes[cut] ?? 0) & 0xc0) === 0x80) cut -= 1;
  const last = bytes.subarray(cut - maxEscapeLength, cut).lastIndexOf(backslash);
  if (last === -1) return cut;
  const begin = cut - maxEscapeLength + last;
  let first = begin;
  while (first > from && bytes[first - 1] === backslash) first -= 1;
  const isEscape = (begin - first) % 2 === 0;
  const length = bytes[begin + 1] === 0x75 ? maxEscapeLength : 2;
  return isEscape && begin + length > cut ? begin : cut;
}
