/** Something that must not wait for ever. */
export interface Waiting {
  /** Where it stands among the others; the ticker's own affair. */
  place: number;
  /** Called when some time has passed. */
  tick(): void;
}

/**
 * Tells all that wait when time has passed. One timer for all of them: one for each would be made and thrown away
 * several times in every request.
 */
export class Ticker {
  readonly everyMs: number;
  /** No set: the tables it leaves behind lead to their successors, which keeps requests in memory after their end. */
  readonly #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(everyMs: number) {
    this.everyMs = everyMs;
  }

  add(waiting: Waiting): void {
    waiting.place = this.#waiting.push(waiting) - 1;
    this.#timer ??= setInterval(() => this.#tick(), this.everyMs).unref();
  }

  /** Harmless for one that was never added, or twice. */
  remove(waiting: Waiting): void {
    if (this.#waiting[waiting.place] !== waiting) return;
    const last = this.#waiting.pop();
    if (!last || last === waiting) return;
    last.place = waiting.place;
    this.#waiting[last.place] = last;
  }

  #tick(): void {
    // One that gives up removes itself.
    for (const waiting of [...this.#waiting]) waiting.tick();
    if (this.#waiting.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
