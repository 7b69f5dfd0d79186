/** Limits on the structure of JSON. The parser costs by parts, not by bytes: 42 MB of `[],` take it 11 seconds. */
export interface JsonBounds {
  readonly depth: number;
  /** Objects and arrays. */
  readonly containers: number;
  readonly names: number;
  /** Including names. */
  readonly strings: number;
  readonly items: number;
}

/**
 * For client requests, and for all JSON texts inside one request together. Each limit is worth about ten milliseconds of
 * parsing. The depth is larger than in any tool schema and safe for recursive code.
 */
export const requestBounds: JsonBounds = {
  depth: 200,
  containers: 50_000,
  names: 30_000,
  strings: 60_000,
  items: 400_000,
};

/** For upstream answers: log probabilities of long answers have many objects, embeddings many numbers. */
export const answerBounds: JsonBounds = {
  depth: 200,
  containers: 1_000_000,
  names: 2_000_000,
  strings: 2_000_000,
  items: 10_000_000,
};

/** V8 hashes longer names by their length alone: thousands of one length take it minutes. */
const longestName = 16_000;

const quote = 0x22;
const backslash = 0x5c;

/**
 * Counts the structure of JSON texts, without parsing them. On invalid JSON the count is wrong from the first error on,
 * where the parser stops.
 */
export class JsonTally {
  readonly #bounds: JsonBounds;
  #containers = 0;
  #names = 0;
  #strings = 0;
  #items = 0;

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds;
  }

  /** Adds a text; false when all texts so far exceed the bounds. */
  add(text: string): boolean {
    let depth = 0;
    let length = 0;
    for (let at = 0; at < text.length; at += 1) {
      switch (text.charCodeAt(at)) {
        case quote:
          this.#strings += 1;
          length = at;
          at = closingQuote(text, at + 1);
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
          if (length > longestName) return false;
          break;
        case 0x2c:
          this.#items += 1;
          if (this.#isExceeded) return false;
          break;
      }
    }
    return !this.#isExceeded;
  }

  get #isExceeded(): boolean {
    const { containers, names, strings, items } = this.#bounds;
    return this.#containers > containers || this.#names > names || this.#strings > strings || this.#items > items;
  }
}

/** Index of the quote that ends a string; the length of the text when none does. */
function closingQuote(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (first > from && text.charCodeAt(first - 1) === backslash) first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}
