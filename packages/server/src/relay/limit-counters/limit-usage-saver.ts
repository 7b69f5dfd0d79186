import { limitMeasures } from '@headgate/contract';
import * as z from 'zod/mini';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { LimitCounters } from './limit-counters.ts';
import type { LimitUsageRepository, SavedUsage } from './limit-usage-repository.ts';

interface LimitMemoryDependencies {
  readonly counters: LimitCounters;
  readonly uses: LimitUsageRepository;
  readonly onFailure: (error: unknown) => void;
}

const saveEveryMs = 30_000;
const daySeconds = limitMeasures.tokens_per_day.windowSeconds;
const slotSeconds = daySeconds / 60;

const amounts = z.array(z.tuple([z.int().check(z.nonnegative()), z.int().check(z.nonnegative())]));

/** Saves the daily counters in the background, twice a minute and on shutdown. */
export class LimitUsageSaver {
  readonly #dependencies: LimitMemoryDependencies;
  /** State at the last save. */
  #saved: ReadonlyMap<string, string> = new Map();
  #timer: NodeJS.Timeout | undefined;
  #saving: Promise<void> | undefined;

  constructor(dependencies: LimitMemoryDependencies) {
    this.#dependencies = dependencies;
  }

  /** Restores the counters saved before the last stop. Counts received from other nodes later replace them. */
  async load(): Promise<void> {
    const { uses, counters } = this.#dependencies;
    const now = nowInSeconds();
    for (const { key, told, saved_time } of await uses.since(now - daySeconds - slotSeconds)) {
      const since = Math.floor(Math.max(0, now - saved_time) / slotSeconds);
      const read = amounts.safeParse(parsed(told));
      const aged = read.success ? read.data.map(([age, amount]) => [age + since, amount] as const) : [];
      counters.remember(key, aged, performance.now());
    }
  }

  start(): void {
    this.#timer = setInterval(() => void this.save(), saveEveryMs).unref();
  }

  save(): Promise<void> {
    this.#saving ??= this.#saveChanged()
      .catch(this.#dependencies.onFailure)
      .finally(() => {
        this.#saving = undefined;
      });
    return this.#saving;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#saving;
    await this.save();
  }

  async #saveChanged(): Promise<void> {
    const saved_time = nowInSeconds();
    const changed: SavedUsage[] = [];
    const known = new Map<string, string>();
    for (const [key, aged] of this.#dependencies.counters.ofDays(performance.now())) {
      const told = JSON.stringify(aged);
      known.set(key, told);
      if (this.#saved.get(key) !== told && aged.length > 0) changed.push({ key, told, saved_time });
    }
    if (changed.length > 0) await this.#dependencies.uses.save(changed);
    // Drops counters that are no longer relevant.
    this.#saved = known;
  }
}

function parsed(text: string): unknown {
  try {
    // trusted JSON: written by this program.
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
