import { otherTagValue } from '@headgate/contract';

const msPerDay = 86_400_000;

/** Different values of a key that clients may use on one day. */
const mostValues = 1000;

/** Limits the number of different tag values per key and UTC day on this node, so that rollups stay small. */
export class TagValues {
  readonly #now: () => number;
  readonly #most: number;
  readonly #seen = new Map<string, Set<string>>();
  #day = 0;

  constructor(now: () => number = Date.now, most = mostValues) {
    this.#now = now;
    this.#most = most;
  }

  /** The value, or `other` if the key has too many values today. */
  admit(key: string, value: string): string {
    const day = Math.floor(this.#now() / msPerDay);
    if (day !== this.#day) this.#seen.clear();
    this.#day = day;
    const seen = this.#seen.get(key) ?? new Set();
    this.#seen.set(key, seen);
    if (seen.has(value)) return value;
    if (seen.size >= this.#most) return otherTagValue;
    seen.add(value);
    return value;
  }
}
