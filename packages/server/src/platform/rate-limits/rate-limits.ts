import { Refusal, type RefusalCode } from '../errors/refusal.ts';
import type { Counts, Standing } from './counts.ts';
import { MemoryCounts } from './memory-counts.ts';

/** How many requests are let through in how many seconds; 0: as many as one likes. */
export interface RateLimit {
  readonly most: number;
  readonly seconds: number;
}

export const rateLimits = {
  /** Calls of /api by one address. */
  api: { most: 1000, seconds: 180 },
  /** Calls by one address of rows that the contract marks critical, apart for each group of routes. */
  critical: { most: 20, seconds: 1200 },
  /** Failed logins by one address, whatever the account. */
  loginAddress: { most: 30, seconds: 900 },
  /** Failed logins into one account, whatever the address. */
  loginAccount: { most: 10, seconds: 900 },
} as const satisfies Record<string, RateLimit>;

export type RateLimits = Readonly<Record<keyof typeof rateLimits, RateLimit>>;

/** Refuses what happens too often; in the memory of this process unless told where it is counted. */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #counts: Counts;
  readonly #refusal: RefusalCode;

  constructor(limit: RateLimit, refusal: RefusalCode, counts: Counts = new MemoryCounts(limit.seconds)) {
    this.#limit = limit;
    this.#refusal = refusal;
    this.#counts = counts;
  }

  /** Counts one more, and refuses when that is one too many. */
  async use(key: string): Promise<void> {
    if (this.#limit.most > 0) this.#refuseAbove(this.#limit.most, await this.#counts.add(key));
  }

  /** Refuses when one more would be too many. */
  async requireRoom(key: string): Promise<void> {
    if (this.#limit.most > 0) this.#refuseAbove(this.#limit.most - 1, await this.#counts.get(key));
  }

  /** Until one more is allowed; 0: now. */
  async secondsToWait(key: string): Promise<number> {
    const standing = this.#limit.most > 0 ? await this.#counts.get(key) : undefined;
    return standing && standing.count >= this.#limit.most ? Math.ceil(standing.msLeft / 1000) : 0;
  }

  /** How many there were; 0 where nobody counts. */
  async counted(key: string): Promise<number> {
    return this.#limit.most > 0 ? ((await this.#counts.get(key))?.count ?? 0) : 0;
  }

  async count(key: string): Promise<void> {
    if (this.#limit.most > 0) await this.#counts.add(key);
  }

  async forget(key: string): Promise<void> {
    if (this.#limit.most > 0) await this.#counts.forget(key);
  }

  #refuseAbove(most: number, standing: Standing | undefined): void {
    if (!standing || standing.msLeft <= 0 || standing.count <= most) return;
    throw new Refusal(this.#refusal, { seconds: String(Math.ceil(standing.msLeft / 1000)) });
  }
}
