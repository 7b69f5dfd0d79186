/** Failures before a channel cools down. The cooldown gets longer each time, up to a maximum. */
const failuresBeforeCooldown = 3;
const firstCooldownMs = 15_000;
const maxCooldownMs = 300_000;

interface Health {
  failures: number;
  coolsUntil: number;
}

/** State of a channel as reported by another process: whether it responded, and how many failures followed. */
interface ReportedState {
  readonly hasResponded: boolean;
  readonly failures: number;
  readonly waitMs: number;
}

/** Tracks channels or keys that keep failing. They are skipped while another is available; nothing is disabled. */
export class Cooldowns {
  readonly #health = new Map<number, Health>();
  /** End of the cooldown for channels that responded successfully but reported an exhausted rate limit. */
  readonly #usedUp = new Map<number, number>();
  /** Called for every failure, and with `waitMs` undefined for a success that ends a series of failures. */
  onMessage: ((channel: number, waitMs: number | undefined) => void) | undefined;

  get isEmpty(): boolean {
    return this.#health.size === 0 && this.#usedUp.size === 0;
  }

  available<C extends { readonly id: number }>(channels: readonly C[], now: number): readonly C[] {
    return this.isEmpty ? channels : channels.filter(({ id }) => !this.isCooling(id, now));
  }

  isCooling(channel: number, now: number): boolean {
    return this.cooldownOf(channel, now) > 0;
  }

  /** Remaining cooldown in milliseconds. */
  cooldownOf(channel: number, now: number): number {
    const until = Math.max(this.#health.get(channel)?.coolsUntil ?? 0, this.#usedUp.get(channel) ?? 0);
    return Math.max(0, until - now);
  }

  /** `waitMs` is the upstream's Retry-After. */
  failed(channel: number, now: number, waitMs = 0): void {
    this.#fail(channel, now, waitMs);
    this.onMessage?.(channel, waitMs);
  }

  /**
   * Starts a cooldown when a successful response reports an exhausted rate limit. It is not a failure, so a later
   * success does not end the cooldown.
   */
  usedUp(channel: number, now: number, waitMs: number): void {
    for (const [id, until] of this.#usedUp) if (until <= now) this.#usedUp.delete(id);
    this.#usedUp.set(channel, now + Math.min(waitMs, maxCooldownMs));
  }

  /** Counts a report from another process like a local observation. */
  receive(channel: number, { hasResponded, failures, waitMs }: ReportedState, now: number): void {
    if (hasResponded) this.#health.delete(channel);
    // Computed without a loop, because another process may send any number.
    if (failures > 0) this.#fail(channel, now, waitMs, failures);
  }

  succeeded(channel: number): void {
    // There is rarely an entry to delete.
    if (this.#health.size > 0 && this.#health.delete(channel)) this.onMessage?.(channel, undefined);
  }

  #fail(channel: number, now: number, waitMs: number, times = 1): void {
    const health = this.#health.get(channel) ?? { failures: 0, coolsUntil: 0 };
    health.failures += times;
    const doublings = health.failures - failuresBeforeCooldown;
    const rest = doublings < 0 ? 0 : firstCooldownMs * 2 ** Math.min(doublings, 10);
    health.coolsUntil = Math.max(health.coolsUntil, now + Math.min(Math.max(rest, waitMs), maxCooldownMs));
    this.#health.set(channel, health);
  }
}
