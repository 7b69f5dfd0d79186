import { RateLimiterMemory } from 'rate-limiter-flexible';
import { BatchedBroadcast, countSchema } from '../broadcasts/batched-broadcast.ts';
import type { Broadcasts } from '../broadcasts/broadcasts.ts';

/** Current count and the time until it expires. */
export interface CounterState {
  readonly count: number;
  readonly msLeft: number;
}

/** Counters by key, each with a window that starts with the first event. */
export interface Counters {
  /** Increments a counter. */
  add(key: string): Promise<CounterState>;
  /** Undefined if the window is over. */
  get(key: string): Promise<CounterState | undefined>;
  forget(key: string): Promise<void>;
}

/** Creates the counters of a limiter from its name and window. */
export type CounterFactory = (name: string, seconds: number) => Counters;

/**
 * In-memory counters that nodes broadcast to each other, so that no request waits for a query. Counts of other nodes
 * are up to a quarter of a second old.
 */
export class GossipCounters implements Counters {
  readonly #memory: MemoryCounters;
  readonly #broadcast: BatchedBroadcast<string, number>;

  constructor(broadcasts: Broadcasts, topic: string, seconds: number) {
    this.#memory = new MemoryCounters(seconds);
    this.#broadcast = new BatchedBroadcast<string, number>(
      broadcasts,
      { topic, value: countSchema },
      (key, more) => void this.#memory.add(key, more),
    );
  }

  add(key: string): Promise<CounterState> {
    this.#broadcast.put(key, (this.#broadcast.get(key) ?? 0) + 1);
    return this.#memory.add(key);
  }

  get(key: string): Promise<CounterState | undefined> {
    return this.#memory.get(key);
  }

  forget(key: string): Promise<void> {
    return this.#memory.forget(key);
  }
}

/** Maximum number of keys; the oldest is dropped. */
const maxKeys = 50_000;

/** Counters in memory of this process. */
export class MemoryCounters implements Counters {
  readonly #counts: RateLimiterMemory;
  /** Keys and counts in the order in which their windows started; some windows may be over. */
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
    const state = await this.#counts.get(key);
    if (state === null || state.msBeforeNext <= 0) return undefined;
    return { count: state.consumedPoints, msLeft: state.msBeforeNext };
  }

  async forget(key: string): Promise<void> {
    this.#keys.delete(key);
    await this.#counts.delete(key);
  }

  async #remember(key: string): Promise<void> {
    this.#keys.delete(key);
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size > maxKeys && oldest !== undefined) await this.forget(oldest);
  }
}
