import { randomFillSync } from 'node:crypto';

const poolBytes = 4096;

/** Ids of traces and spans. Drawn from a pool, as asking the system for each would cost more than all the rest. */
export class RandomIds {
  readonly #pool = Buffer.alloc(poolBytes);
  #used = poolBytes;

  trace(): string {
    return this.#next(16);
  }

  span(): string {
    return this.#next(8);
  }

  #next(bytes: number): string {
    if (this.#used + bytes > poolBytes) {
      randomFillSync(this.#pool);
      this.#used = 0;
    }
    const id = this.#pool.toString('hex', this.#used, this.#used + bytes);
    this.#used += bytes;
    return id;
  }
}
