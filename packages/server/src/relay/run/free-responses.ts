/** Empty responses per user and hour that cost nothing, on this node. */
const mostPerHour = 20;
const msPerHour = 3_600_000;

/** Limits free empty responses, because a request can provoke them while the provider charges for its prompt. */
export class FreeResponses {
  readonly #now: () => number;
  readonly #counts = new Map<number, number>();
  #hour = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** False when the user had too many in this hour. */
  count(user: number): boolean {
    const hour = Math.floor(this.#now() / msPerHour);
    if (hour !== this.#hour) this.#counts.clear();
    this.#hour = hour;
    const count = this.#counts.get(user) ?? 0;
    if (count >= mostPerHour) return false;
    this.#counts.set(user, count + 1);
    return true;
  }
}
