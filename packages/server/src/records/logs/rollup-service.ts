import { setTimeout as pause } from 'node:timers/promises';
import type { RollupRepository } from './rollup-repository.ts';

const everyMs = 15_000;
/** Attempts to roll up all current logs while other nodes insert or roll up. */
const maxAttempts = 100;
const retryMs = 100;

interface RollupServiceDependencies {
  readonly rollups: RollupRepository;
  readonly onFailure: (error: unknown) => void;
}

/** Rolls up new logs at intervals, on one node at a time. */
export class RollupService {
  readonly #rollups: RollupRepository;
  readonly #onFailure: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #running: Promise<unknown> = Promise.resolve();

  constructor({ rollups, onFailure }: RollupServiceDependencies) {
    this.#rollups = rollups;
    this.#onFailure = onFailure;
  }

  start(afterMs = everyMs): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#running = this.rollUp()
        .catch(this.#onFailure)
        .then(() => this.start());
    }, afterMs).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Rolls up the current logs. Returns false if blocked by an insert or another node. */
  async rollUp(): Promise<boolean> {
    const bound = await this.#rollups.lastCompleteId();
    if (bound === undefined) return false;
    for (;;) {
      const start = performance.now();
      const isDone = await this.#rollups.advance(bound);
      if (isDone !== false || this.#isClosed) return isDone === true;
      // Sleeps as long as it worked, to leave half of the time for requests.
      await pause(performance.now() - start);
    }
  }

  /** Like `rollUp`, but waits for other nodes. Returns the id of the last log in the rollups. */
  async catchUp(): Promise<number> {
    for (let attempt = 1; attempt < maxAttempts && !(await this.rollUp()); attempt += 1) {
      if (this.#isClosed) break;
      await pause(retryMs);
    }
    return this.#rollups.rolledUpTo();
  }
}
