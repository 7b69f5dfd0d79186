import { countSchema, GatheredWhisper } from '../whispering/gathered-whisper.ts';
import type { Whispers } from '../whispering/whispers.ts';
import type { Counts, Standing } from './counts.ts';
import { MemoryCounts } from './memory-counts.ts';

/**
 * Counts in memory that nodes tell each other, so that nobody waits for a statement: what all nodes have counted until a quarter
 * of a second ago.
 */
export class ToldCounts implements Counts {
  readonly #memory: MemoryCounts;
  readonly #whisper: GatheredWhisper<string, number>;

  constructor(whispers: Whispers, topic: string, seconds: number) {
    this.#memory = new MemoryCounts(seconds);
    this.#whisper = new GatheredWhisper<string, number>(
      whispers,
      { topic, value: countSchema },
      (key, more) => void this.#memory.add(key, more),
    );
  }

  add(key: string): Promise<Standing> {
    this.#whisper.put(key, (this.#whisper.get(key) ?? 0) + 1);
    return this.#memory.add(key);
  }

  get(key: string): Promise<Standing | undefined> {
    return this.#memory.get(key);
  }

  forget(key: string): Promise<void> {
    return this.#memory.forget(key);
  }
}
