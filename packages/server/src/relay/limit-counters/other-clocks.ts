/** More nodes than this are not remembered. */
const mostNodes = 1000;

/**
 * The clocks of other nodes, by the quickest of their notices. What one of them did at a moment was heard here no earlier than that
 * moment by this reckoning, however long the notice of it took: what is given back is taken from there, so it never comes out of
 * something that counts longer.
 */
export class OtherClocks {
  /** Milliseconds by which the own clock is ahead, and the quickest notice on its way. */
  readonly #ahead = new Map<string, number>();

  /** When something was said, by the own clock, or earlier. */
  hear(node: string, said: number | undefined, now: number): number {
    if (said === undefined) return now;
    const ahead = Math.min(this.#ahead.get(node) ?? Number.POSITIVE_INFINITY, now - said);
    if (this.#ahead.size >= mostNodes && !this.#ahead.has(node)) this.#ahead.clear();
    this.#ahead.set(node, ahead);
    return said + ahead;
  }
}
