const gramLength = 4;
/** Minimum length of a search term, so that at any position one of its first grams falls on a sampled byte. */
const shortestText = 12;
const step = shortestText - gramLength + 1;
const tableBits = 16;
/** Distributes adjacent numbers over the table. */
const spread = 0x9e3779b1;

interface Part {
  readonly text: Buffer;
  /** Position of the gram in the text. */
  readonly at: number;
}

/**
 * Searches bytes for any of many texts. Samples every ninth byte and compares in full at possible matches. Ten
 * encodings of a key in a chunk of five events take 0.35 µs instead of 3.4 µs with `includes` (`node
 * scripts/bench/plain-forms.ts`).
 */
export class MultiTextSearch {
  /** Hashes of the grams, which rule out most positions. */
  readonly #table = new Uint8Array(2 ** tableBits);
  readonly #parts = new Map<number, Part[]>();

  constructor(texts: readonly Buffer[]) {
    for (const text of texts) {
      if (text.length < shortestText) throw new Error('The text is too short for a sampled search.');
      for (let at = 0; at < step; at += 1) {
        const gram = gramAt(text, at);
        this.#table[indexOf(gram)] = 1;
        this.#parts.set(gram, [...(this.#parts.get(gram) ?? []), { text, at }]);
      }
    }
  }

  isIn(bytes: Buffer): boolean {
    if (this.#parts.size === 0) return false;
    const last = bytes.length - gramLength;
    for (let at = 0; at <= last; at += step) {
      const gram = gramAt(bytes, at);
      if (this.#table[indexOf(gram)] === 1 && this.#isAround(bytes, at, gram)) return true;
    }
    return false;
  }

  #isAround(bytes: Buffer, position: number, gram: number): boolean {
    const parts = this.#parts.get(gram);
    if (!parts) return false;
    return parts.some(({ text, at }) => {
      const from = position - at;
      return from >= 0 && text.equals(bytes.subarray(from, from + text.length));
    });
  }
}

const bitsPerByte = 8;

function gramAt(bytes: Buffer, at: number): number {
  const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << bitsPerByte);
  const high = (bytes[at + 2] ?? 0) | ((bytes[at + 3] ?? 0) << bitsPerByte);
  return low | (high << (2 * bitsPerByte));
}

const indexOf = (gram: number): number => Math.imul(gram, spread) >>> (gramLength * bitsPerByte - tableBits);
