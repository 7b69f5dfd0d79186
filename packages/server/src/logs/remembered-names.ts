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

/** Sums by day and name: some tens of megabytes at most. */
const mostKept = 100_000;

/**
 * How the logs of a user's day share out among the names that the user had. The finest sums tell, but of somebody busy they
 * are many; so it is remembered for as long as the day adds up to the same.
 */
export class RememberedNames {
  readonly #known = new Map<string, readonly NamedUserDay[]>();
  readonly #most: number;
  #count = 0;

  constructor(most = mostKept) {
    this.#most = most;
  }

  /** undefined: not known, or no longer true. */
  of(day: UserDay): readonly NamedUserDay[] | undefined {
    const names = this.#known.get(keyOf(day));
    return names && isSum(day, names) ? names : undefined;
  }

  /** Of a day that is known already the newer sums; beyond the most, those kept first go first. Nothing that is not true. */
  keep(day: UserDay, names: readonly NamedUserDay[]): void {
    if (!isSum(day, names)) return;
    this.#drop(keyOf(day));
    this.#known.set(keyOf(day), names);
    this.#count += names.length;
    for (const oldest of this.#known.keys()) {
      if (this.#count <= this.#most) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#count -= this.#known.get(key)?.length ?? 0;
    this.#known.delete(key);
  }
}

/** What a day is known by. */
export const keyOf = ({ user_id, type, day }: UserDay): string => `${user_id} ${type} ${day}`;

const compared = ['rows', 'quota', 'prompt_tokens', 'completion_tokens'] as const;

const isSum = (day: UserDay, names: readonly NamedUserDay[]): boolean =>
  compared.every((counter) => day[counter] === names.reduce((sum, name) => sum + name[counter], 0));
