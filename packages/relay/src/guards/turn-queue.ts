/**
 * Queue for work that takes milliseconds, such as parsing a body with ten thousand parts. One job runs per turn of
 * the event loop, so many jobs block other requests no longer than one job does.
 */
export class TurnQueue {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when all earlier jobs have run. */
  next(): Promise<void> {
    this.#last = this.#last.then(() => new Promise((resolve) => void setImmediate(resolve)));
    return this.#last;
  }
}
