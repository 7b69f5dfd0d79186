import { BatchedBroadcast, countSchema } from '../broadcasts/batched-broadcast.ts';
import type { Broadcasts } from '../broadcasts/broadcasts.ts';
import type { CounterState, Counters } from './counters.ts';
import { MemoryCounters } from './memory-counters.ts';

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
