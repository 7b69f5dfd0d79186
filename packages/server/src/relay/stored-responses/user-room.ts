interface UserRoomDependencies {
  /** Most bytes that the stored responses of one user may take. */
  readonly most: () => number;
  readonly count: (userId: number) => Promise<number>;
  /** Deletes the oldest until the rest fits into this number of bytes. */
  readonly trim: (userId: number, most: number) => Promise<void>;
  /** Milliseconds. */
  readonly clock: () => number;
}

interface Counted {
  readonly bytes: number;
  readonly at: number;
}

const recountAfterMs = 60_000;
const mostUsers = 10_000;
/** Share of the limit that is left after the oldest were deleted, so that this is rare. */
const trimmedShare = 0.9;

/** Keeps the stored responses of each user within a limit. Other nodes' bytes are counted once a minute. */
export class UserRoom {
  readonly #dependencies: UserRoomDependencies;
  readonly #counted = new Map<number, Counted>();

  constructor(dependencies: UserRoomDependencies) {
    this.#dependencies = dependencies;
  }

  /** False for a response that is too large even alone. */
  fits(bytes: number): boolean {
    return bytes <= this.#dependencies.most() * trimmedShare;
  }

  /** Deletes the oldest responses when one that was just stored is too much: of several at the same time the last sees all. */
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
    if (this.#counted.size > mostUsers && oldest !== undefined) this.#counted.delete(oldest);
  }

  #fresh(userId: number): Counted | undefined {
    const known = this.#counted.get(userId);
    return known && this.#dependencies.clock() - known.at < recountAfterMs ? known : undefined;
  }
}
