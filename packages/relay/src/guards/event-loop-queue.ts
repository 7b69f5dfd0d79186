/**
 * Queue for work that takes milliseconds, such as parsing a body with ten thousand parts. One job runs per turn of the event
 * loop, so that other requests wait for at most one job at a time.
 */
export class EventLoopQueue {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when all earlier jobs have run. */
  next(): Promise<void> {
    this.#last = this.#last.then(() => new Promise((resolve) => void setImmediate(resolve)));
    return this.#last;
  }
}
