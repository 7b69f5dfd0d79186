interface UserRoomDependencies {
  /** Most bytes that the stored responses of one user may take. */
  readonly most: () => number;
  readonly count: (userId: number) => Promise<number>;
  /** Deletes the oldest until the others take no more than so many bytes. */
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

  /** Makes room for so many bytes; false when they are more than a user may have. */
  async take(userId: number, bytes: number): Promise<boolean> {
    const { most, count, trim, clock } = this.#dependencies;
    if (bytes > most() * trimmedShare) return false;
    const known = this.#counted.get(userId);
    const isKnown = known !== undefined && clock() - known.at < recountAfterMs;
    const counted = isKnown ? known : { bytes: await count(userId), at: clock() };
    const isFull = counted.bytes + bytes > most();
    if (isFull) await trim(userId, most() * trimmedShare - bytes);
    const left = isFull ? await count(userId) : counted.bytes;
    this.#counted.delete(userId);
    this.#counted.set(userId, { bytes: left + bytes, at: counted.at });
    const [oldest] = this.#counted.keys();
    if (this.#counted.size > mostUsers && oldest !== undefined) this.#counted.delete(oldest);
    return true;
  }
}
