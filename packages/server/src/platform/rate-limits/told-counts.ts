import type { Broadcasts } from '../broadcasts/broadcasts.ts';
import { countSchema, GatheredBroadcast } from '../broadcasts/gathered-broadcast.ts';
import type { Counts, Standing } from './counts.ts';
import { MemoryCounts } from './memory-counts.ts';

/**
 * Counters in memory that nodes broadcast to each other, so that no request waits for a statement; up to a quarter of
 * a second behind.
 */
export class ToldCounts implements Counts {
  readonly #memory: MemoryCounts;
  readonly #broadcast: GatheredBroadcast<string, number>;

  constructor(broadcasts: Broadcasts, topic: string, seconds: number) {
    this.#memory = new MemoryCounts(seconds);
    this.#broadcast = new GatheredBroadcast<string, number>(
      broadcasts,
      { topic, value: countSchema },
      (key, more) => void this.#memory.add(key, more),
    );
  }

  add(key: string): Promise<Standing> {
    this.#broadcast.put(key, (this.#broadcast.get(key) ?? 0) + 1);
    return this.#memory.add(key);
  }

  get(key: string): Promise<Standing | undefined> {
    return this.#memory.get(key);
  }

  forget(key: string): Promise<void> {
    return this.#memory.forget(key);
  }
}
