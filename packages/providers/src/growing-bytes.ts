const smallestRoom = 1024;
const roomToKeep = 64 * 1024;

/** A buffer that doubles its size, so that appending single bytes stays cheap. */
export class GrowingBytes {
  #room: Buffer = Buffer.alloc(0);
  length = 0;

  add(more: Buffer): void {
    const length = this.length + more.length;
    if (length > this.#room.length) {
      const grown = Buffer.allocUnsafe(Math.max(smallestRoom, length, this.#room.length * 2));
      this.#room.copy(grown, 0, 0, this.length);
      this.#room = grown;
    }
    more.copy(this.#room, this.length);
    this.length = length;
  }

  /** Returns the buffered bytes followed by `last`, and clears the buffer. */
  takeWith(last: Buffer): Buffer {
    if (this.length === 0) return last;
    const whole = Buffer.concat([this.#room.subarray(0, this.length), last]);
    this.length = 0;
    if (this.#room.length > roomToKeep) this.#room = Buffer.alloc(0);
    return whole;
  }
}
