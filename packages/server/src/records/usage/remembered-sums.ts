import { createHash } from 'node:crypto';
import type { PackSums } from './pack-sums.ts';

/** Sums of all of these together: some tens of megabytes at most. */
const mostKept = 400_000;

/** What an answer takes beside its sums, in sums: there is no end of questions whose answer is nothing. */
const ownSize = 50;

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

  /** How many questions are remembered. */
  get size(): number {
    return this.#known.size;
  }

  /** A copy, which more can be added to. The question names the packs with their versions. */
  async of(question: object, add: () => Promise<PackSums>): Promise<PackSums> {
    const name = nameOf(question);
    const sums = this.#known.get(name) ?? (await add());
    this.#drop(name);
    this.#known.set(name, sums);
    this.#count += sizeOf(sums);
    for (const oldest of this.#known.keys()) {
      if (this.#count <= this.#most) break;
      this.#drop(oldest);
    }
    return sums.copy();
  }

  #drop(name: string): void {
    const known = this.#known.get(name);
    if (known) this.#count -= sizeOf(known);
    this.#known.delete(name);
  }
}

const sizeOf = ({ count }: PackSums): number => ownSize + count;

/** A question over a year names nine thousand packs, and would take more room than its answer. */
const nameOf = (question: object): string => createHash('sha256').update(JSON.stringify(question)).digest('base64url');
