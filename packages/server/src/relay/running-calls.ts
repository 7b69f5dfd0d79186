/** How many requests are under way. */
export class RunningCalls {
  #count = 0;
  #whenIdle: () => void = () => undefined;

  get count(): number {
    return this.#count;
  }

  begin(): void {
    this.#count += 1;
  }

  end(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#whenIdle();
  }

  /** Waits for all of them: one whose client has left may still have something to settle. */
  async idle(): Promise<void> {
    if (this.#count === 0) return;
    await new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
    });
  }
}
