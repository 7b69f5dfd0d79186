/**
 * Turns of the event loop for work of milliseconds, such as parsing a body of ten thousand parts: one in each, so that many
 * at once make others wait no longer at a time than one does.
 */
export class TurnQueue {
  #last: Promise<void> = Promise.resolve();

  /** Comes when everybody before has had a turn. */
  next(): Promise<void> {
    this.#last = this.#last.then(() => new Promise((resolve) => void setImmediate(resolve)));
    return this.#last;
  }
}
