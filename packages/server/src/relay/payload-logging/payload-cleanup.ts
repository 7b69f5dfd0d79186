import { setTimeout as pause } from 'node:timers/promises';
import type { InTransaction } from '../../platform/db/transaction.ts';
import { RepeatedWork } from '../../platform/runtime/repeated-work.ts';
import type { PayloadRepository } from './payload-repository.ts';
import type { PayloadSettingRepository } from './payload-setting-repository.ts';
import type { StorageQuota } from './storage-quota.ts';

interface BodySweeperDependencies {
  readonly bodies: PayloadRepository;
  readonly keepings: PayloadSettingRepository;
  readonly rooms: readonly Pick<StorageQuota, 'recount'>[];
  /** Other tables that are cleaned in the same run. */
  readonly others: readonly Swept[];
  readonly inTransaction: InTransaction;
  /** Current time in Unix seconds. */
  readonly clock: () => number;
  readonly everyMs: number;
  readonly onFailure: (error: unknown) => void;
}

/** Table with expiring rows that are deleted in batches. Returns 0 if nothing is left to delete. */
interface Swept {
  removeExpired(now: number): Promise<number>;
  removeOfClosed(): Promise<number>;
}

/** Rare or slow work runs only every nth round. */
const roundsBetween = 5;

/** Deletes expired and orphaned rows in small steps. */
export class PayloadCleanup {
  readonly #dependencies: BodySweeperDependencies;
  readonly #work: RepeatedWork;
  #rounds = 0;

  constructor(dependencies: BodySweeperDependencies) {
    this.#dependencies = dependencies;
    const { everyMs, onFailure } = dependencies;
    this.#work = new RepeatedWork({ everyMs, run: () => this.#sweepOnce(), onFailure });
  }

  start(): void {
    this.#work.start();
  }

  close(): Promise<void> {
    return this.#work.close();
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
    await runWithPauses(step, () => this.#work.isClosed);
  }
}

/**
 * Runs until a step finds nothing. Pauses after each step for as long as the step took, to leave half of the time for
 * other work.
 */
export async function runWithPauses(step: () => Promise<number>, isStopped: () => boolean): Promise<void> {
  while (!isStopped()) {
    const start = performance.now();
    if ((await step()) === 0) return;
    await pause(performance.now() - start);
  }
}
