/** How much of the average a new measure is. */
const newest = 0.2;
/** What a failure counts as, in milliseconds: who fails at once is not quick. */
const failureMs = 10_000;
const mostModels = 1000;

interface Pace {
  stream: number | undefined;
  whole: number | undefined;
}

/** What this process has seen of its channels: how busy they are, and how quickly they begin to answer. */
export class ChannelLoads {
  readonly #underWay = new Map<number, number>();
  readonly #paces = new Map<number, Map<string, Pace>>();

  begun(channel: number): void {
    this.#underWay.set(channel, (this.#underWay.get(channel) ?? 0) + 1);
  }

  ended(channel: number): void {
    this.#underWay.set(channel, (this.#underWay.get(channel) ?? 1) - 1);
  }

  underWay(channel: number): number {
    return this.#underWay.get(channel) ?? 0;
  }

  /** An answer began after so long. Those in one piece begin when they are whole, so they are told apart. */
  answered(channel: number, model: string, manner: keyof Pace, ms: number): void {
    const pace = this.#paceOf(channel, model);
    if (!pace) return;
    const before = pace[manner];
    pace[manner] = before === undefined ? ms : before + (ms - before) * newest;
  }

  failed(channel: number, model: string, manner: keyof Pace, ms: number): void {
    this.answered(channel, model, manner, Math.max(ms, failureMs));
  }

  /** Milliseconds until the first byte, about; undefined: not measured yet. */
  firstByteMs(channel: number, model: string, manner: keyof Pace): number | undefined {
    return this.#paces.get(channel)?.get(model)?.[manner];
  }

  #paceOf(channel: number, model: string): Pace | undefined {
    const models = this.#paces.get(channel) ?? new Map<string, Pace>();
    const known = models.get(model);
    if (known) return known;
    // Who insists on a channel may name any model.
    if (models.size >= mostModels) return undefined;
    const pace: Pace = { stream: undefined, whole: undefined };
    models.set(model, pace);
    this.#paces.set(channel, models);
    return pace;
  }
}
