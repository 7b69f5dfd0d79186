/** What the logs of a user's day add up to, of one type. */
export interface UserDay {
  readonly day: number;
  readonly type: number;
  readonly user_id: number;
  readonly rows: number;
  readonly quota: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** The same of those under one name. */
export interface NamedUserDay extends UserDay {
  readonly username: string;
}

interface Known {
  /** The last one when it was read. */
  readonly deletion: string;
  readonly names: readonly NamedUserDay[];
}

/** Sums by day and name: some tens of megabytes at most. */
const mostKept = 100_000;

/**
 * How the logs of a user's day share out among the names that the user had. The finest sums tell, but of somebody busy they
 * are many; so it is remembered for as long as the day adds up to the same and no logs were deleted: others could add up to
 * the same in their place.
 */
export class RememberedNames {
  readonly #known = new Map<string, Known>();
  readonly #most: number;
  #count = 0;

  constructor(most = mostKept) {
    this.#most = most;
  }

  /** After this deletion of logs, whichever was the last; undefined: not known, or no longer true. */
  of(day: UserDay, deletion: string): readonly NamedUserDay[] | undefined {
    const known = this.#known.get(keyOf(day));
    return known && known.deletion === deletion && isSum(day, known.names) ? known.names : undefined;
  }

  /** Of a day that is known already the newer sums; beyond the most, those kept first go first. Nothing that is not true. */
  keep(day: UserDay, { deletion, names }: Known): void {
    if (!isSum(day, names)) return;
    this.#drop(keyOf(day));
    this.#known.set(keyOf(day), { deletion, names });
    this.#count += names.length;
    for (const oldest of this.#known.keys()) {
      if (this.#count <= this.#most) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#count -= this.#known.get(key)?.names.length ?? 0;
    this.#known.delete(key);
  }
}

/** What a day is known by. */
export const keyOf = ({ user_id, type, day }: UserDay): string => `${user_id} ${type} ${day}`;

const compared = ['rows', 'quota', 'prompt_tokens', 'completion_tokens'] as const;

const isSum = (day: UserDay, names: readonly NamedUserDay[]): boolean =>
  compared.every((counter) => day[counter] === names.reduce((sum, name) => sum + name[counter], 0));
