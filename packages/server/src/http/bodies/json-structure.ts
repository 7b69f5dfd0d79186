import { requestBounds } from '@headgate/dialects';
import type { StringRange } from '@headgate/relay';
import { BodyError } from './body-budget.ts';

/** Above these counts, parsing and processing take milliseconds, so the body is queued. */
const fewContainers = 2000;
const fewNames = 2000;
const fewStrings = 4000;
const fewItems = 20_000;

/** Strings of this length are images, audio or whole books and are parsed separately. */
const longBytes = 16 * 1024;
/** Limit for everything outside long strings: about a million tokens. */
const maxShortBytes = 4 * 1024 * 1024;

const quote = 0x22;
const backslash = 0x5c;

/** Bytes of a string that are checked one by one before searching for its end. */
const nearBytes = 64;

/**
 * Scans JSON while it arrives and throws when its structure (not its strings) exceeds the limits, before the parser
 * creates objects. Invalid JSON is left to the parser.
 */
export class JsonStructure {
  #depth = 0;
  /** Numbers with an exponent; may be slightly too high at chunk boundaries. */
  exponents = 0;
  #containers = 0;
  #names = 0;
  #strings = 0;
  #items = 0;
  #isInString = false;
  #stringStart = 0;
  /** Position of the current chunk in the body. */
  #offset = 0;
  #longBytes = 0;
  /** Strings too long to be parsed with the rest, in order. */
  readonly longStrings: StringRange[] = [];
  /** The last byte was an unescaped backslash. */
  #isEscaped = false;

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) at = this.#isInString ? this.#inString(chunk, at) : this.#betweenStrings(chunk, at);
    this.#offset += chunk.length;
    if (this.#isTooLarge) throw new BodyError(413, 'The request body has too many elements');
  }

  /** True if parsing should yield to other requests before and after. */
  get isHeavy(): boolean {
    const isMuchText = this.#names > fewNames || this.#strings > fewStrings;
    return isMuchText || this.#containers > fewContainers || this.#items > fewItems;
  }

  get #isTooLarge(): boolean {
    const { names, strings, items, containers } = requestBounds;
    const isMuchText = this.#names > names || this.#strings > strings;
    const pending = this.#isInString ? this.#offset - this.#stringStart : 0;
    const shortBytes = this.#offset - this.#longBytes - (pending > longBytes ? pending : 0);
    return isMuchText || shortBytes > maxShortBytes || this.#items > items || this.#containers > containers;
  }

  #betweenStrings(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      switch (chunk[at]) {
        case quote:
          this.#isInString = true;
          this.#stringStart = this.#offset + at;
          this.#strings += 1;
          return at + 1;
        case 0x7b:
        case 0x5b:
          this.#containers += 1;
          this.#depth += 1;
          if (this.#depth > requestBounds.depth) throw new BodyError(400, 'The request body is nested too deeply');
          break;
        case 0x7d:
        case 0x5d:
          this.#depth -= 1;
          break;
        case 0x3a:
          this.#names += 1;
          break;
        case 0x2c:
          this.#items += 1;
          break;
        case 0x45:
        case 0x65:
          if (at === from || isDigit(chunk[at - 1])) this.exponents += 1;
          break;
      }
    }
    return chunk.length;
  }

  #inString(chunk: Buffer, from: number): number {
    let at = this.#isEscaped ? from + 1 : from;
    let isNear = true;
    while (at < chunk.length) {
      const end = isNear ? endNear(chunk, at) : endFar(chunk, at);
      if (end < 0) return this.#endString(-end);
      at = end;
      isNear = !isNear;
    }
    this.#isEscaped = at > chunk.length;
    return chunk.length;
  }

  #endString(after: number): number {
    this.#isInString = false;
    this.#isEscaped = false;
    const range = { start: this.#stringStart, end: this.#offset + after };
    if (range.end - range.start > longBytes) {
      this.longStrings.push(range);
      this.#longBytes += range.end - range.start;
    }
    return after;
  }
}

const isDigit = (byte = 0): boolean => byte >= 0x30 && byte <= 0x39;

/**
 * Searches for the end of a string byte by byte. Returns the position after it, negated, or the position at which to
 * continue.
 */
function endNear(chunk: Buffer, from: number): number {
  const near = Math.min(from + nearBytes, chunk.length);
  let at = from;
  while (at < near) {
    const byte = chunk[at];
    if (byte === quote) return -(at + 1);
    at += byte === backslash ? 2 : 1;
  }
  return at;
}

/** Searches for the next quote with indexOf, which is slow for short strings and fast for long ones. */
function endFar(chunk: Buffer, from: number): number {
  const found = chunk.indexOf(quote, from);
  const end = found === -1 ? chunk.length : found;
  let first = end;
  while (first > from && chunk[first - 1] === backslash) first -= 1;
  const isEscaped = (end - first) % 2 === 1;
  if (isEscaped) return end + 1;
  return found === -1 ? end : -(end + 1);
}
