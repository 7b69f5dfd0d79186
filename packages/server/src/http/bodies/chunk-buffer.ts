/** From this size chunks are copied as they arrive: copying all of them at the end would block the event loop. */
const copiedFrom = 1024 * 1024;

/** Joins the chunks of a body into one buffer. */
export class ChunkBuffer {
  /** Content-Length; 0 if absent. */
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

  /** A buffer with the earlier bytes and room for the new ones. */
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
