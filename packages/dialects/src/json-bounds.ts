/**
 * Limits on JSON structure. Parsing cost depends on the number of values, not bytes: parsing 42 MB of `[],` takes 11
 * seconds.
 */
export interface JsonBounds {
  readonly depth: number;
  /** Number of objects and arrays. */
  readonly containers: number;
  readonly names: number;
  /** Number of strings, including keys. */
  readonly strings: number;
  readonly items: number;
  /** Characters outside strings, and escaped quotes and backslashes inside, each of which is examined. */
  readonly steps: number;
}

/**
 * Limits for a client request, and for all JSON strings in one request combined. Each corresponds to about 10 ms of
 * parsing. The depth exceeds that of any tool schema and is safe for recursive code.
 */
export const requestBounds: JsonBounds = {
  depth: 200,
  containers: 50_000,
  names: 30_000,
  strings: 60_000,
  items: 400_000,
  steps: 4_000_000,
};

/** For upstream responses: log probabilities of long responses have many objects, embeddings many numbers. */
export const responseBounds: JsonBounds = {
  depth: 200,
  containers: 1_000_000,
  names: 2_000_000,
  strings: 2_000_000,
  items: 10_000_000,
  steps: Number.POSITIVE_INFINITY,
};

/**
 * Maximum key length. V8 hashes longer strings by length alone, so parsing thousands of keys of the same length takes
 * minutes.
 */
const maxNameLength = 16_000;

const quote = 0x22;
const backslash = 0x5c;

/**
 * Counts the structure of JSON texts without parsing them. On invalid JSON the count is wrong after the first error,
 * where the parser stops.
 */
export class JsonBoundsCounter {
  readonly #bounds: JsonBounds;
  #containers = 0;
  #names = 0;
  #strings = 0;
  #items = 0;
  #steps = 0;

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds;
  }

  /** Adds a text; false when all texts so far exceed the bounds. */
  add(text: string): boolean {
    let depth = 0;
    let length = 0;
    for (let at = 0; this.#isNext(at, text); at += 1) {
      switch (text.charCodeAt(at)) {
        case quote:
          this.#strings += 1;
          length = at;
          at = this.#closingQuote(text, at + 1);
          length = at - length;
          break;
        case 0x7b:
        case 0x5b:
          depth += 1;
          this.#containers += 1;
          if (depth > this.#bounds.depth) return false;
          break;
        case 0x7d:
        case 0x5d:
          depth -= 1;
          break;
        case 0x3a:
          this.#names += 1;
          if (length > maxNameLength) return false;
          break;
        case 0x2c:
          this.#items += 1;
          if (this.#isExceeded) return false;
          break;
      }
    }
    return !this.#isExceeded;
  }

  /** True if there is a character left and the step limit is not reached. */
  #isNext(at: number, text: string): boolean {
    this.#steps += 1;
    return at < text.length && this.#steps <= this.#bounds.steps;
  }

  get #isExceeded(): boolean {
    const { containers, names, strings, items, steps } = this.#bounds;
    if (this.#steps > steps || this.#strings > strings) return true;
    return this.#containers > containers || this.#names > names || this.#items > items;
  }

  /** Index of the closing quote, or of a quote past the step limit; the length of the text if there is none. */
  #closingQuote(text: string, from: number): number {
    for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
      const backslashes = this.#backslashesBefore(text, end, from);
      this.#steps += backslashes;
      if (backslashes % 2 === 0 || this.#steps > this.#bounds.steps) return end;
    }
    return text.length;
  }

  /** Counts the backslashes before a quote, up to the step limit. */
  #backslashesBefore(text: string, end: number, from: number): number {
    const first = Math.max(from, end - this.#bounds.steps - 1);
    let at = end;
    while (at > first && text.charCodeAt(at - 1) === backslash) at -= 1;
    return end - at;
  }
}
