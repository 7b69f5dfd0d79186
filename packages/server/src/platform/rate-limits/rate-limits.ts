import { ApiError, type ApiErrorCode } from '../errors/api-error.ts';
import { type CounterState, type Counters, MemoryCounters } from './counters.ts';

/** Requests allowed per number of seconds; 0 means unlimited. */
export interface RateLimit {
  readonly most: number;
  readonly seconds: number;
}

export const rateLimits = {
  /** API requests per address. */
  api: { most: 1000, seconds: 180 },
  /** Requests per address to endpoints marked critical, counted separately for each group of routes. */
  critical: { most: 20, seconds: 1200 },
  /** Failed logins per address, for any account. */
  loginAddress: { most: 30, seconds: 900 },
  /** Failed logins per account, from any address. */
  loginAccount: { most: 10, seconds: 900 },
} as const satisfies Record<string, RateLimit>;

export type RateLimits = Readonly<Record<keyof typeof rateLimits, RateLimit>>;

/** Rejects events above a rate; counts in memory by default. */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #counts: Counters;
  readonly #rejection: ApiErrorCode;

  constructor(limit: RateLimit, rejection: ApiErrorCode, counts: Counters = new MemoryCounters(limit.seconds)) {
    this.#limit = limit;
    this.#rejection = rejection;
    this.#counts = counts;
  }

  /** Counts an event and throws if it exceeds the limit. */
  async use(key: string): Promise<void> {
    if (this.#limit.most > 0) this.#rejectAbove(this.#limit.most, await this.#counts.add(key));
  }

  /** Throws if another event would exceed the limit. */
  async requireRoom(key: string): Promise<void> {
    if (this.#limit.most > 0) this.#rejectAbove(this.#limit.most - 1, await this.#counts.get(key));
  }

  /** Seconds until another event is allowed; 0 means now. */
  async secondsToWait(key: string): Promise<number> {
    const state = this.#limit.most > 0 ? await this.#counts.get(key) : undefined;
    return state && state.count >= this.#limit.most ? Math.ceil(state.msLeft / 1000) : 0;
  }

  /** Number of counted events; 0 if there is no limit. */
  async counted(key: string): Promise<number> {
    return this.#limit.most > 0 ? ((await this.#counts.get(key))?.count ?? 0) : 0;
  }

  async count(key: string): Promise<void> {
    if (this.#limit.most > 0) await this.#counts.add(key);
  }

  async forget(key: string): Promise<void> {
    if (this.#limit.most > 0) await this.#counts.forget(key);
  }

  #rejectAbove(max: number, state: CounterState | undefined): void {
    if (!state || state.msLeft <= 0 || state.count <= max) return;
    throw new ApiError(this.#rejection, { seconds: String(Math.ceil(state.msLeft / 1000)) });
  }
}
