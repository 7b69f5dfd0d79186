import type { RelayChannel } from '../ports/relay-channel.ts';

interface Missing {
  readonly baseUrl: string;
  readonly until: number;
}

/** A server may be upgraded: after this time its endpoint is tried again. */
const rememberedMs = 3_600_000;

/** Optional endpoints that servers of channels turned out to lack. */
export class MissingEndpoints {
  readonly #missing = new Map<string, Missing>();
  /** Monotonic clock, in milliseconds. */
  readonly #clock: () => number;

  constructor(clock = () => performance.now()) {
    this.#clock = clock;
  }

  note(channel: RelayChannel, endpoint: string): void {
    this.#missing.set(keyOf(channel, endpoint), { baseUrl: channel.baseUrl, until: this.#clock() + rememberedMs });
  }

  has(channel: RelayChannel, endpoint: string): boolean {
    const found = this.#missing.get(keyOf(channel, endpoint));
    return found !== undefined && found.baseUrl === channel.baseUrl && this.#clock() < found.until;
  }
}

const keyOf = ({ id }: RelayChannel, endpoint: string) => `${id} ${endpoint}`;
