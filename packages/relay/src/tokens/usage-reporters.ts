/** Tracks which channels report usage at the end of a stream, by the last completed stream of each. */
export class UsageReporters {
  readonly #tells = new Map<number, boolean>();

  /** Undefined before the first stream. */
  tells(channel: number): boolean | undefined {
    return this.#tells.get(channel);
  }

  ended(channel: number, reported: boolean): void {
    if (this.#tells.get(channel) !== reported) this.#tells.set(channel, reported);
  }
}
