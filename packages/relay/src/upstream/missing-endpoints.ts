import type { RelayChannel } from '../ports/relay-channel.ts';

interface Missing {
  readonly baseUrl: string;
  readonly until: number;
}

/** The endpoint is tried again after this time, because the server may be upgraded. */
const rememberedMs = 3_600_000;

/** Optional endpoints that servers lack, by channel and model, because one URL may lead to several servers. */
export class MissingEndpoints {
  readonly #missing = new Map<string, Missing>();
  /** Monotonic clock, in milliseconds. */
  readonly #clock: () => number;

  constructor(clock = () => performance.now()) {
    this.#clock = clock;
  }

  note(channel: RelayChannel, endpoint: string, model: string): void {
    this.#missing.set(keyOf(channel, endpoint, model), {
      baseUrl: channel.baseUrl,
      until: this.#clock() + rememberedMs,
    });
  }

  has(channel: RelayChannel, endpoint: string, model: string): boolean {
    const found = this.#missing.get(keyOf(channel, endpoint, model));
    return found !== undefined && found.baseUrl === channel.baseUrl && this.#clock() < found.until;
  }
}

const keyOf = ({ id }: RelayChannel, endpoint: string, model: string) => `${id} ${endpoint} ${model}`;
