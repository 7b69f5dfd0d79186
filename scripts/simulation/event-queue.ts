type Act = () => void;

/** Event queue with a virtual clock; events at the same time run in the order they were scheduled. */
export class EventQueue {
  readonly #times: number[] = [];
  readonly #orders: number[] = [];
  readonly #acts: Act[] = [];
  #planned = 0;
  #now = 0;

  /** Milliseconds since the start. */
  get now(): number {
    return this.#now;
  }

  after(milliseconds: number, act: Act): void {
    this.#times.push(this.#now + milliseconds);
    this.#orders.push(this.#planned);
    this.#acts.push(act);
    this.#planned += 1;
    for (let child = this.#times.length - 1; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!this.#isBefore(child, parent)) break;
      this.#swap(child, parent);
      child = parent;
    }
  }

  /** Runs until the queue is empty. */
  run(): void {
    while (this.#times.length > 0) {
      this.#now = this.#times[0] ?? this.#now;
      this.#takeFirst()?.();
    }
  }

  #takeFirst(): Act | undefined {
    this.#swap(0, this.#times.length - 1);
    this.#times.pop();
    this.#orders.pop();
    const act = this.#acts.pop();
    for (let parent = 0; ; ) {
      let min = parent;
      for (const child of [2 * parent + 1, 2 * parent + 2]) {
        if (child < this.#times.length && this.#isBefore(child, min)) min = child;
      }
      if (min === parent) return act;
      this.#swap(parent, min);
      parent = min;
    }
  }

  #isBefore(one: number, other: number): boolean {
    const difference = (this.#times[one] ?? 0) - (this.#times[other] ?? 0);
    return difference < 0 || (difference === 0 && (this.#orders[one] ?? 0) < (this.#orders[other] ?? 0));
  }

  #swap(one: number, other: number): void {
    swap(this.#times, one, other);
    swap(this.#orders, one, other);
    swap(this.#acts, one, other);
  }
}

function swap<T>(list: T[], one: number, other: number): void {
  [list[one], list[other]] = [list[other] as T, list[one] as T];
}
