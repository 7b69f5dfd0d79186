/** How long a channel that keeps failing is left alone: longer each time, and not for ever. */
const failuresBeforeCooldown = 3;
const firstCooldownMs = 15_000;
const longestCooldownMs = 300_000;

interface Health {
  failures: number;
  coolsUntil: number;
}

/** What another process has seen of a channel: whether it answered, and how often it failed after that. */
interface HeardOf {
  readonly hasAnswered: boolean;
  readonly failures: number;
  readonly waitMs: number;
}

/** Which channels, or which keys of channels, keep failing. They are passed over while another can be had; nothing is disabled by it. */
export class Cooldowns {
  readonly #health = new Map<number, Health>();
  /** Until when those rest that have answered, and said that nothing is left of a limit of theirs. */
  readonly #usedUp = new Map<number, number>();
  /** Hears of every failure, and of an answer that ends a row of them, which has no `waitMs`. */
  onNews: ((channel: number, waitMs: number | undefined) => void) | undefined;

  get isEmpty(): boolean {
    return this.#health.size === 0 && this.#usedUp.size === 0;
  }

  available<C extends { readonly id: number }>(channels: readonly C[], now: number): readonly C[] {
    return this.isEmpty ? channels : channels.filter(({ id }) => !this.isCooling(id, now));
  }

  isCooling(channel: number, now: number): boolean {
    return this.restOf(channel, now) > 0;
  }

  /** Milliseconds for which it is passed over. */
  restOf(channel: number, now: number): number {
    const until = Math.max(this.#health.get(channel)?.coolsUntil ?? 0, this.#usedUp.get(channel) ?? 0);
    return Math.max(0, until - now);
  }

  /** `waitMs` is the upstream's own word on when to come back. */
  failed(channel: number, now: number, waitMs = 0): void {
    this.#fail(channel, now, waitMs);
    this.onNews?.(channel, waitMs);
  }

  /** It answered, and said that nothing is left of a limit of its own for so long. No failure: an answer does not end it. */
  usedUp(channel: number, now: number, waitMs: number): void {
    for (const [id, until] of this.#usedUp) if (until <= now) this.#usedUp.delete(id);
    this.#usedUp.set(channel, now + Math.min(waitMs, longestCooldownMs));
  }

  /** Counts as if it had been seen here. */
  hear(channel: number, { hasAnswered, failures, waitMs }: HeardOf, now: number): void {
    if (hasAnswered) this.#health.delete(channel);
    // Not one by one: another process may say any number.
    if (failures > 0) this.#fail(channel, now, waitMs, failures);
  }

  succeeded(channel: number): void {
    // Almost always there is nothing to forget.
    if (this.#health.size > 0 && this.#health.delete(channel)) this.onNews?.(channel, undefined);
  }

  #fail(channel: number, now: number, waitMs: number, times = 1): void {
    const health = this.#health.get(channel) ?? { failures: 0, coolsUntil: 0 };
    health.failures += times;
    const doublings = health.failures - failuresBeforeCooldown;
    const rest = doublings < 0 ? 0 : firstCooldownMs * 2 ** Math.min(doublings, 10);
    health.coolsUntil = Math.max(health.coolsUntil, now + Math.min(Math.max(rest, waitMs), longestCooldownMs));
    this.#health.set(channel, health);
  }
}
