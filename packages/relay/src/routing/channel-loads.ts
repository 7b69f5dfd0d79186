/** Weight of a new measurement in the average. */
const newest = 0.2;
/** Milliseconds counted for a failure, so that a channel that fails immediately does not appear fast. */
const failureMs = 10_000;
const maxModels = 1000;

interface Pace {
  stream: number | undefined;
  whole: number | undefined;
}

/** Load and time to first byte of the channels, as measured by this process. */
export class ChannelLoads {
  readonly #inFlight = new Map<number, number>();
  readonly #paces = new Map<number, Map<string, Pace>>();

  begun(channel: number): void {
    this.#inFlight.set(channel, (this.#inFlight.get(channel) ?? 0) + 1);
  }

  ended(channel: number): void {
    this.#inFlight.set(channel, (this.#inFlight.get(channel) ?? 1) - 1);
  }

  inFlight(channel: number): number {
    return this.#inFlight.get(channel) ?? 0;
  }

  /**
   * Records the time to first byte. Streams and whole responses are measured separately, because the first byte of a
   * whole response arrives only when it is complete.
   */
  responded(channel: number, model: string, responseKind: keyof Pace, ms: number): void {
    const pace = this.#paceOf(channel, model);
    if (!pace) return;
    const before = pace[responseKind];
    pace[responseKind] = before === undefined ? ms : before + (ms - before) * newest;
  }

  failed(channel: number, model: string, responseKind: keyof Pace, ms: number): void {
    this.responded(channel, model, responseKind, Math.max(ms, failureMs));
  }

  /** Average milliseconds to the first byte; undefined: not measured yet. */
  firstByteMs(channel: number, model: string, responseKind: keyof Pace): number | undefined {
    return this.#paces.get(channel)?.get(model)?.[responseKind];
  }

  #paceOf(channel: number, model: string): Pace | undefined {
    const models = this.#paces.get(channel) ?? new Map<string, Pace>();
    const known = models.get(model);
    if (known) return known;
    // Limits the number of models, because a caller with a pinned channel may use any model name.
    if (models.size >= maxModels) return undefined;
    const pace: Pace = { stream: undefined, whole: undefined };
    models.set(model, pace);
    this.#paces.set(channel, models);
    return pace;
  }
}
