/** Maximum number of remembered nodes. */
const mostNodes = 1000;

/**
 * Estimates the clocks of other nodes from their fastest message. With this estimate, an event on another node is
 * never dated later than its message was received, however long the message took. A correction is applied at that
 * time, so that it never reduces usage that counts longer.
 */
export class RemoteClocks {
  /** Milliseconds by which the local clock is ahead, plus the delay of the fastest message. */
  readonly #ahead = new Map<string, number>();

  /** Sending time on the local clock, never later than `now`. */
  hear(node: string, said: number | undefined, now: number): number {
    if (said === undefined) return now;
    const ahead = Math.min(this.#ahead.get(node) ?? Number.POSITIVE_INFINITY, now - said);
    if (this.#ahead.size >= mostNodes && !this.#ahead.has(node)) this.#ahead.clear();
    this.#ahead.set(node, ahead);
    return said + ahead;
  }
}
