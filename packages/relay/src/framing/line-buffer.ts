const maxLineLength = 8 * 1024 * 1024;
const smallestRoom = 1024;

/**
 * Buffers the start of a line until its end arrives. Grows by doubling, so that a line that arrives byte by byte stays
 * cheap.
 */
export class LineBuffer {
  #bytes = Buffer.alloc(0);
  #length = 0;

  keep(more: Buffer): void {
    if (more.length === 0) return;
    const length = this.#length + more.length;
    if (length > maxLineLength) throw new Error('a line of the stream is too long');
    if (length > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(smallestRoom, length, this.#bytes.length * 2));
      this.#bytes.copy(grown, 0, 0, this.#length);
      this.#bytes = grown;
    }
    more.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  last(bytes: number): Buffer {
    return this.#bytes.subarray(Math.max(0, this.#length - bytes), this.#length);
  }

  /** Returns the buffered bytes followed by the chunk, and clears the buffer. */
  before(chunk: Buffer): Buffer {
    if (this.#length === 0) return chunk;
    const joined = Buffer.concat([this.#bytes.subarray(0, this.#length), chunk]);
    this.#length = 0;
    if (this.#bytes.length > 64 * smallestRoom) this.#bytes = Buffer.alloc(0);
    return joined;
  }
}
