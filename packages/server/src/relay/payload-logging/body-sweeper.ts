import { setTimeout as pause } from 'node:timers/promises';
import type { InTransaction } from '../../platform/db/transaction.ts';
import type { BodyKeepingRepository } from './body-keeping-repository.ts';
import type { KeptBodyRepository } from './kept-body-repository.ts';
import type { StoredRoom } from './stored-room.ts';

interface BodySweeperDependencies {
  readonly bodies: KeptBodyRepository;
  readonly keepings: BodyKeepingRepository;
  readonly rooms: readonly Pick<StoredRoom, 'recount'>[];
  /** Other tables that are cleaned with it. */
  readonly others: readonly Swept[];
  readonly inTransaction: InTransaction;
  /** Seconds. */
  readonly clock: () => number;
  readonly everyMs: number;
  readonly onFailure: (error: unknown) => void;
}

/** Rows that expire, deleted a few at a time: a call returns 0 when nothing is left to delete. */
interface Swept {
  removeExpired(now: number): Promise<number>;
  removeOfClosed(): Promise<number>;
}

/** What is rare or takes longer is done each so many times. */
const roundsBetween = 5;

/** Deletes what has expired, and what belongs to nobody any more, in small steps. */
export class BodySweeper {
  readonly #dependencies: BodySweeperDependencies;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #rounds = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(dependencies: BodySweeperDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#sweep();
    }, this.#dependencies.everyMs).unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #sweep(): Promise<void> {
    await this.#sweepOnce().catch(this.#dependencies.onFailure);
    this.start();
  }

  async #sweepOnce(): Promise<void> {
    const { bodies, others, rooms, clock } = this.#dependencies;
    const swept = [bodies, ...others];
    for (const each of swept) await this.#inSteps(() => each.removeExpired(clock()));
    if (this.#rounds % roundsBetween === 0) {
      for (const each of swept) await this.#inSteps(() => each.removeOfClosed());
      await this.#removeOrphans();
      for (const room of rooms) await room.recount();
    }
    this.#rounds += 1;
  }

  #removeOrphans(): Promise<void> {
    const { keepings, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      if (await keepings.within(transaction).removeOrphans()) transaction.changed('bodies');
    });
  }

  async #inSteps(step: () => Promise<number>): Promise<void> {
    await inSteps(step, () => this.#isClosed);
  }
}

/** Until a step finds nothing more. After each as long a rest as it took: half of the time belongs to everybody else. */
export async function inSteps(step: () => Promise<number>, isStopped: () => boolean): Promise<void> {
  while (!isStopped()) {
    const start = performance.now();
    if ((await step()) === 0) return;
    await pause(performance.now() - start);
  }
}
