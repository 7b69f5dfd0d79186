import type { PackSums } from './pack-sums.ts';

/** Sums of all of these together: some tens of megabytes at most. */
const mostKept = 400_000;

/**
 * What packs added up to for an earlier question, the ones used last kept longest. Packs never change, so that the same of the same
 * packs is the same.
 */
export class RememberedSums {
  readonly #known = new Map<string, PackSums>();
  readonly #most: number;
  #count = 0;

  constructor(most = mostKept) {
    this.#most = most;
  }

  /** A copy, which more can be added to. The question names the packs with their versions. */
  async of(question: object, add: () => Promise<PackSums>): Promise<PackSums> {
    const name = JSON.stringify(question);
    const sums = this.#known.get(name) ?? (await add());
    this.#drop(name);
    this.#known.set(name, sums);
    this.#count += sums.count;
    for (const oldest of this.#known.keys()) {
      if (this.#count <= this.#most) break;
      this.#drop(oldest);
    }
    return sums.copy();
  }

  #drop(name: string): void {
    this.#count -= this.#known.get(name)?.count ?? 0;
    this.#known.delete(name);
  }
}
