/** Resolves at the nth event. */
export class Countdown {
  #left = Number.POSITIVE_INFINITY;
  #reached: () => void = () => undefined;

  after(count: number): Promise<void> {
    this.#left = count;
    return new Promise((resolve) => {
      this.#reached = resolve;
    });
  }

  count(): void {
    this.#left -= 1;
    if (this.#left === 0) this.#reached();
  }
}
