/** Free empty responses per user and hour, on this node. */
const maxPerHour = 20;
const msPerHour = 3_600_000;

/** Limits free empty responses, because a client can provoke them while the provider charges for the prompt. */
export class FreeResponseLimiter {
  readonly #now: () => number;
  readonly #counts = new Map<number, number>();
  #hour = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** False if the user has had too many in this hour. */
  count(user: number): boolean {
    const hour = Math.floor(this.#now() / msPerHour);
    if (hour !== this.#hour) this.#counts.clear();
    this.#hour = hour;
    const count = this.#counts.get(user) ?? 0;
    if (count >= maxPerHour) return false;
    this.#counts.set(user, count + 1);
    return true;
  }
}
