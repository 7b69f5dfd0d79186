/** How long a channel that keeps failing is left alone: longer each time, and not for ever. */
const failuresBeforeRest = 3;
const firstRestMs = 15_000;
const longestRestMs = 300_000;

interface Health {
  failures: number;
  restsUntil: number;
}

/** Which channels keep failing. They are passed over while another can be had; nothing is disabled by it. */
export class Resting {
  readonly #health = new Map<number, Health>();

  awake<C extends { readonly id: number }>(channels: readonly C[], now: number): readonly C[] {
    return this.#health.size === 0 ? channels : channels.filter(({ id }) => !this.isResting(id, now));
  }

  isResting(channel: number, now: number): boolean {
    const health = this.#health.get(channel);
    return health !== undefined && health.restsUntil > now;
  }

  /** `waitMs` is the upstream's own word on when to come back. */
  failed(channel: number, now: number, waitMs = 0): void {
    const health = this.#health.get(channel) ?? { failures: 0, restsUntil: 0 };
    health.failures += 1;
    const doublings = health.failures - failuresBeforeRest;
    const rest = doublings < 0 ? 0 : firstRestMs * 2 ** Math.min(doublings, 10);
    health.restsUntil = Math.max(health.restsUntil, now + Math.min(Math.max(rest, waitMs), longestRestMs));
    this.#health.set(channel, health);
  }

  succeeded(channel: number): void {
    // Almost always there is nothing to forget.
    if (this.#health.size > 0) this.#health.delete(channel);
  }
}
