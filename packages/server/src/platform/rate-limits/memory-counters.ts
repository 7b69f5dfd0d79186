import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { CounterState, Counters } from './counters.ts';

/** Maximum number of keys; the oldest is dropped. */
const mostKeys = 50_000;

/** Counters in memory of this process. */
export class MemoryCounters implements Counters {
  readonly #counts: RateLimiterMemory;
  /** Counted keys in the order in which their windows started; some windows may be over. */
  readonly #keys = new Set<string>();

  constructor(seconds: number) {
    // The limiter only counts; it never rejects.
    this.#counts = new RateLimiterMemory({ points: 1, duration: seconds, keyPrefix: '' });
  }

  async add(key: string, more = 1): Promise<CounterState> {
    const { consumedPoints, msBeforeNext, isFirstInDuration } = await this.#counts.penalty(key, more);
    if (isFirstInDuration) await this.#remember(key);
    return { count: consumedPoints, msLeft: msBeforeNext };
  }

  async get(key: string): Promise<CounterState | undefined> {
    const standing = await this.#counts.get(key);
    if (standing === null || standing.msBeforeNext <= 0) return undefined;
    return { count: standing.consumedPoints, msLeft: standing.msBeforeNext };
  }

  async forget(key: string): Promise<void> {
    this.#keys.delete(key);
    await this.#counts.delete(key);
  }

  async #remember(key: string): Promise<void> {
    this.#keys.delete(key);
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size > mostKeys && oldest !== undefined) await this.forget(oldest);
  }
}
