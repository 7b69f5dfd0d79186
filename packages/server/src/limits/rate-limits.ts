import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { Refusal, type RefusalCode } from '../refusal.ts';

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

/** More keys than this are not remembered at once: the one whose time began first is forgotten. */
const mostKeys = 50_000;

/** Counts by key in the memory of this process. */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #counts: RateLimiterMemory;
  readonly #refusal: RefusalCode;
  /** The clients that are counted, in the order in which their time began; some times are over. */
  readonly #keys = new Set<string>();

  constructor(limit: RateLimit, refusal: RefusalCode) {
    this.#limit = limit;
    this.#refusal = refusal;
    this.#counts = new RateLimiterMemory({ points: limit.most, duration: limit.seconds, keyPrefix: '' });
  }

  /** Counts one more, and refuses when that is one too many. */
  async use(key: string): Promise<void> {
    if (this.#limit.most > 0) this.#refuseAbove(this.#limit.most, await this.#add(key));
  }

  /** Refuses when one more would be too many. */
  async requireRoom(key: string): Promise<void> {
    if (this.#limit.most > 0) this.#refuseAbove(this.#limit.most - 1, await this.#counts.get(key));
  }

  /** Until one more is allowed; 0: now. */
  async secondsToWait(key: string): Promise<number> {
    const standing = this.#limit.most > 0 ? await this.#counts.get(key) : null;
    const isFull = standing !== null && standing.msBeforeNext > 0 && standing.consumedPoints >= this.#limit.most;
    return isFull ? Math.ceil(standing.msBeforeNext / 1000) : 0;
  }

  /** How many there were; 0 where nobody counts. */
  async counted(key: string): Promise<number> {
    const standing = await this.#counts.get(key);
    return standing !== null && standing.msBeforeNext > 0 ? standing.consumedPoints : 0;
  }

  async count(key: string): Promise<void> {
    if (this.#limit.most > 0) await this.#add(key);
  }

  async forget(key: string): Promise<void> {
    this.#keys.delete(key);
    await this.#counts.delete(key);
  }

  async #add(key: string): Promise<RateLimiterRes> {
    const standing = await this.#counts.penalty(key);
    if (standing.isFirstInDuration) await this.#remember(key);
    return standing;
  }

  #refuseAbove(most: number, standing: RateLimiterRes | null): void {
    if (standing === null || standing.msBeforeNext <= 0 || standing.consumedPoints <= most) return;
    throw new Refusal(this.#refusal, { seconds: String(Math.ceil(standing.msBeforeNext / 1000)) });
  }

  async #remember(key: string): Promise<void> {
    this.#keys.delete(key);
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size > mostKeys && oldest !== undefined) await this.forget(oldest);
  }
}
