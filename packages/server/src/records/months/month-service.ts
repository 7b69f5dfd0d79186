import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { MonthRepository } from './month-repository.ts';

/** Number of future months that always have partitions. */
const monthsAhead = 2;

const everyMs = 3_600_000;
const firstAfterMs = 10_000;
/** Delay before the next attempt if a lock could not be acquired. */
const againAfterMs = 60_000;

/** Creates partitions of future months in advance. */
export class MonthPartitionService {
  readonly #months: MonthRepository;
  readonly #onFailure: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #running: Promise<void> = Promise.resolve();

  constructor(months: MonthRepository, onFailure: (error: unknown) => void) {
    this.#months = months;
    this.#onFailure = onFailure;
  }

  start(afterMs = firstAfterMs): void {
    this.#timer = setTimeout(() => {
      this.#running = this.#makeNow();
    }, afterMs).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** `now` in seconds. Returns false if a lock could not be acquired. */
  make(now: number): Promise<boolean> {
    return this.#months.make(now, monthsAhead);
  }

  async #makeNow(): Promise<void> {
    const isMade = await this.make(nowInSeconds()).catch((error: unknown) => {
      this.#onFailure(error);
      return false;
    });
    if (!this.#isClosed) this.start(isMade ? everyMs : againAfterMs);
  }
}
