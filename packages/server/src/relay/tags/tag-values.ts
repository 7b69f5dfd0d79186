import { otherTagValue } from '@headgate/contract';

const msPerDay = 86_400_000;

/** Maximum distinct tags that the clients of one user may send in one day, over all keys. */
const mostOfUser = 2000;
/** Maximum distinct tags of all users in one day. They take at most 20 MB. */
const maxOfAll = 50_000;

/**
 * Limits the number of distinct tags per UTC day on this node, so that rollups stay small. Counted per user, so that no
 * user can exhaust the limit for others.
 */
export class TagValues {
  readonly #now: () => number;
  readonly #limits: { readonly ofUser: number; readonly ofAll: number };
  readonly #seen = new Map<number, Set<string>>();
  #count = 0;
  #day = 0;

  constructor(now: () => number = Date.now, limits = { ofUser: mostOfUser, ofAll: maxOfAll }) {
    this.#now = now;
    this.#limits = limits;
  }

  /** The value, or `other` if the user has too many distinct tags today. */
  admit(user: number, key: string, value: string): string {
    this.#startDay(Math.floor(this.#now() / msPerDay));
    const seen = this.#seen.get(user) ?? new Set();
    const tag = `${key}=${value}`;
    if (seen.has(tag)) return value;
    if (seen.size >= this.#limits.ofUser || this.#count >= this.#limits.ofAll) return otherTagValue;
    this.#seen.set(user, seen.add(tag));
    this.#count += 1;
    return value;
  }

  #startDay(day: number): void {
    if (day === this.#day) return;
    this.#day = day;
    this.#seen.clear();
    this.#count = 0;
  }
}
