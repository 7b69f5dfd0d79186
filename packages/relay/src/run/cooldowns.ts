/** How long a channel that keeps failing is left alone: longer each time, and not for ever. */
const failuresBeforeCooldown = 3;
const firstCooldownMs = 15_000;
const longestCooldownMs = 300_000;

interface Health {
  failures: number;
  coolsUntil: number;
}

/** Which channels keep failing. They are passed over while another can be had; nothing is disabled by it. */
export class Cooldowns {
  readonly #health = new Map<number, Health>();

  available<C extends { readonly id: number }>(channels: readonly C[], now: number): readonly C[] {
    return this.#health.size === 0 ? channels : channels.filter(({ id }) => !this.isCooling(id, now));
  }

  isCooling(channel: number, now: number): boolean {
    return this.restOf(channel, now) > 0;
  }

  /** Milliseconds for which it is passed over. */
  restOf(channel: number, now: number): number {
    return Math.max(0, (this.#health.get(channel)?.coolsUntil ?? 0) - now);
  }

  /** `waitMs` is the upstream's own word on when to come back. */
  failed(channel: number, now: number, waitMs = 0): void {
    const health = this.#health.get(channel) ?? { failures: 0, coolsUntil: 0 };
    health.failures += 1;
    const doublings = health.failures - failuresBeforeCooldown;
    const rest = doublings < 0 ? 0 : firstCooldownMs * 2 ** Math.min(doublings, 10);
    health.coolsUntil = Math.max(health.coolsUntil, now + Math.min(Math.max(rest, waitMs), longestCooldownMs));
    this.#health.set(channel, health);
  }

  succeeded(channel: number): void {
    // Almost always there is nothing to forget.
    if (this.#health.size > 0) this.#health.delete(channel);
  }
}
