/** Tracks which channels report usage at the end of a stream, by the last completed stream of each. */
export class UsageReporters {
  readonly #reports = new Map<number, boolean>();

  /** Undefined before the first stream. */
  tells(channel: number): boolean | undefined {
    return this.#reports.get(channel);
  }

  ended(channel: number, reported: boolean): void {
    if (this.#reports.get(channel) !== reported) this.#reports.set(channel, reported);
  }
}
