/** An object whose timeout is checked by the ticker. */
export interface TimeoutTarget {
  /** Index in the list, managed by the ticker. */
  index: number;
  /** Called at every tick. */
  tick(): void;
}

/** One shared timer for all timeouts: separate timers would be created and discarded several times per request. */
export class Ticker {
  readonly everyMs: number;
  /** Not a Set: V8's discarded hash tables link to their successors, which keeps finished requests in memory. */
  readonly #waiting: TimeoutTarget[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(everyMs: number) {
    this.everyMs = everyMs;
  }

  add(waiting: TimeoutTarget): void {
    waiting.index = this.#waiting.push(waiting) - 1;
    this.#timer ??= setInterval(() => this.#tick(), this.everyMs).unref();
  }

  /** Safe to call twice, or for an object that was never added. */
  remove(waiting: TimeoutTarget): void {
    if (this.#waiting[waiting.index] !== waiting) return;
    const last = this.#waiting.pop();
    if (!last || last === waiting) return;
    last.index = waiting.index;
    this.#waiting[last.index] = last;
  }

  #tick(): void {
    // Copied, because an expired object removes itself.
    for (const waiting of [...this.#waiting]) waiting.tick();
    if (this.#waiting.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
