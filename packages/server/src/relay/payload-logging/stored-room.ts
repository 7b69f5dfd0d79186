interface StoredRoomDependencies {
  /** Most bytes that may be stored. */
  readonly most: () => number;
  readonly count: () => Promise<number>;
}

/** Share of the limit that is left when the oldest rows are deleted, so that this is rare. */
const trimmedShare = 0.9;

/** Bytes that rows take in the database: counted from time to time; in between, what this node adds is added. */
export class StoredRoom {
  readonly #dependencies: StoredRoomDependencies;
  /** Undefined before anything was stored. */
  #used: number | undefined;
  #isFull = false;

  constructor(dependencies: StoredRoomDependencies) {
    this.#dependencies = dependencies;
  }

  /** False when the limit is reached. */
  async take(bytes: number): Promise<boolean> {
    this.#used ??= await this.#dependencies.count();
    if (this.#used + bytes > this.#dependencies.most()) {
      this.#isFull = true;
      return false;
    }
    this.#used += bytes;
    return true;
  }

  /** Does not count while nothing is stored here. */
  async recount(): Promise<void> {
    if (this.#used !== undefined) this.#used = await this.#dependencies.count();
  }

  /** Bytes to be deleted, once the limit was reached. */
  async excess(): Promise<number> {
    if (!this.#isFull) return 0;
    await this.recount();
    this.#isFull = false;
    return Math.max(0, (this.#used ?? 0) - this.#dependencies.most() * trimmedShare);
  }
}
