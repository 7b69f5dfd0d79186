/** From here on chunks are copied as they come: to copy all of them at the end would keep everybody waiting. */
const copiedFrom = 1024 * 1024;

/** Makes one buffer of a body's chunks. */
export class ChunkBuffer {
  /** The length the body is said to have; 0 when nobody says. */
  readonly declared: number;
  #chunks: Buffer[] = [];
  #length = 0;
  #whole: Buffer | undefined;

  constructor(declared: number) {
    this.declared = declared;
  }

  push(chunk: Buffer): void {
    const before = this.#length;
    this.#length += chunk.length;
    if (this.#whole === undefined && this.#length < copiedFrom) {
      this.#chunks.push(chunk);
      return;
    }
    chunk.copy(this.#room(before), before);
  }

  whole(): Buffer {
    if (this.#whole !== undefined) return this.#whole.subarray(0, this.#length);
    const [only] = this.#chunks;
    return this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks, this.#length);
  }

  /** A buffer with what came before, and room for what has come now. */
  #room(before: number): Buffer {
    const { length } = this.#whole ?? { length: 0 };
    if (this.#whole !== undefined && length >= this.#length) return this.#whole;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.declared, this.#length, length * 2));
    if (this.#whole !== undefined) this.#whole.copy(larger, 0, 0, before);
    else Buffer.concat(this.#chunks, before).copy(larger);
    this.#chunks = [];
    this.#whole = larger;
    return larger;
  }
}
