interface UserRoomDependencies {
  /** Storage limit per user in bytes. */
  readonly most: () => number;
  readonly count: (userId: number) => Promise<number>;
  /** Deletes the oldest responses until the rest fits. */
  readonly trim: (userId: number, max: number) => Promise<void>;
  /** Current time in milliseconds. */
  readonly clock: () => number;
}

interface Counted {
  readonly bytes: number;
  readonly at: number;
}

const recountAfterMs = 60_000;
const maxUsers = 10_000;
/** Share of the limit that remains after trimming, so that trimming is rare. */
const trimmedShare = 0.9;

/** Enforces the storage limit per user. Bytes stored by other nodes are counted once a minute. */
export class UserStorageQuota {
  readonly #dependencies: UserRoomDependencies;
  readonly #counted = new Map<number, Counted>();

  constructor(dependencies: UserRoomDependencies) {
    this.#dependencies = dependencies;
  }

  /** False if a response is too large by itself. */
  fits(bytes: number): boolean {
    return bytes <= this.#dependencies.most() * trimmedShare;
  }

  /**
   * Deletes the oldest responses if the new one exceeds the limit. When several responses are stored concurrently, the
   * check for the last one sees all of them.
   */
  async added(userId: number, bytes: number): Promise<void> {
    const { most, count, trim, clock } = this.#dependencies;
    const known = this.#fresh(userId);
    const total = known ? known.bytes + bytes : await count(userId);
    const at = known?.at ?? clock();
    const counted = Math.max(total, this.#fresh(userId)?.bytes ?? 0);
    this.#counted.delete(userId);
    if (counted > most()) return trim(userId, most() * trimmedShare);
    this.#counted.set(userId, { bytes: counted, at });
    const [oldest] = this.#counted.keys();
    if (this.#counted.size > maxUsers && oldest !== undefined) this.#counted.delete(oldest);
  }

  #fresh(userId: number): Counted | undefined {
    const known = this.#counted.get(userId);
    return known && this.#dependencies.clock() - known.at < recountAfterMs ? known : undefined;
  }
}
