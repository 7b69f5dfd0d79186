/** Which channels tell at the end of a stream what was used, by the last one each of them brought to its end. */
export class UsageReporters {
  readonly #tells = new Map<number, boolean>();

  /** Undefined while none was seen. */
  tells(channel: number): boolean | undefined {
    return this.#tells.get(channel);
  }

  ended(channel: number, reported: boolean): void {
    if (this.#tells.get(channel) !== reported) this.#tells.set(channel, reported);
  }
}
