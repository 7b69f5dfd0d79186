interface StoredRoomDependencies {
  /** Storage limit in bytes. */
  readonly most: () => number;
  readonly count: () => Promise<number>;
}

/** Share of the limit that remains after trimming, so that trimming is rare. */
const trimmedShare = 0.9;

/** Bytes used in the database: counted at intervals, plus the bytes added by this node since. */
export class StorageQuota {
  readonly #dependencies: StoredRoomDependencies;
  /** Undefined until this node stores something. */
  #used: number | undefined;
  #isFull = false;

  constructor(dependencies: StoredRoomDependencies) {
    this.#dependencies = dependencies;
  }

  /** False if the limit is reached. */
  async take(bytes: number): Promise<boolean> {
    this.#used ??= await this.#dependencies.count();
    if (this.#used + bytes > this.#dependencies.most()) {
      this.#isFull = true;
      return false;
    }
    this.#used += bytes;
    return true;
  }

  /** Skips counting while this node has stored nothing. */
  async recount(): Promise<void> {
    if (this.#used !== undefined) this.#used = await this.#dependencies.count();
  }

  /** Bytes to delete after the limit was reached. */
  async excess(): Promise<number> {
    if (!this.#isFull) return 0;
    await this.recount();
    this.#isFull = false;
    return Math.max(0, (this.#used ?? 0) - this.#dependencies.most() * trimmedShare);
  }
}
