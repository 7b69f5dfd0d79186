import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Balance } from '../../records/totals/rollup-batch.ts';
import type { ChargeStore } from './charge-store.ts';
import { sumByPeriod } from './charge-sums.ts';
import type { ChargeBatch, ChargeWriter, Settlement } from './charge-writer.ts';

interface Job {
  readonly settlement: Settlement;
  readonly done: () => void;
  /** Monotonic time at which it was queued. */
  readonly since: number;
}

interface SettlementWriterDependencies {
  readonly store: ChargeStore;
  /** Number of in-flight requests, including those whose charges are queued here. */
  readonly running: () => number;
  /** Called after a reduced user balance is stored. */
  readonly onSpent: (balance: Balance) => void;
  /** Called after charges to these budget periods are stored. */
  readonly onBudgets?: (periods: readonly number[]) => void;
  /** Monotonic clock in milliseconds; `performance.now` by default. */
  readonly now?: () => number;
}

const largestBatch = 500;
/** Maximum number of charges moved from the journal to the tables in one step; more would delay requests too long. */
const maxJournaledPerStep = 256;
const maxJournaledMs = 100;

/**
 * Stores charges on SQLite in batches: charges that settle during a commit go into the next one. While other requests
 * are in flight or arrive steadily, charges go to the journal first and are moved to the tables a few hundred at a
 * time. There is one writer at a time, so that a read in between sees exactly the charges that memory counts as stored.
 */
export class SettlementWriter implements ChargeWriter {
  readonly #dependencies: SettlementWriterDependencies;
  readonly #pace: ChargeRateDetector;
  #jobs: Job[] = [];
  /** The jobs being stored now, which are older than all queued jobs. */
  #batch: readonly Job[] = [];
  #reads: (() => Promise<void>)[] = [];
  /** Entries that are in the journal but not yet in the tables. */
  #behind: { readonly entry: number; readonly settlements: readonly Settlement[] }[] = [];
  #behindCount = 0;
  #isOverdue = false;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #unstored = 0;
  #catchingUp: Promise<void> | undefined;

  constructor(dependencies: SettlementWriterDependencies) {
    this.#dependencies = dependencies;
    this.#pace = new ChargeRateDetector(dependencies.now);
  }

  get unstored(): number {
    return this.#unstored;
  }

  get oldestUnstoredMs(): number {
    const oldest = this.#batch[0] ?? this.#jobs[0];
    return oldest === undefined ? 0 : performance.now() - oldest.since;
  }

  write(settlement: Settlement): Promise<void> {
    return new Promise((done) => {
      this.#jobs.push({ settlement, done, since: performance.now() });
      this.#unstored += 1;
      this.#wake();
    });
  }

  readBetween<T>(read: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reads.push(() => read().then(resolve, reject));
      this.#wake();
    });
  }

  /** Shared by all callers, so that calls do not pile up while the database is unavailable. */
  async catchUp(): Promise<void> {
    if (this.#behindCount === 0) return;
    this.#catchingUp ??= this.readBetween(async () => {
      this.#catchingUp = undefined;
    });
    await this.#catchingUp;
  }

  async drain(): Promise<void> {
    await this.catchUp();
    while (this.#running !== undefined) await this.#running;
    if (this.#behindCount > 0) await this.drain();
  }

  #wake(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#hasWork) this.#wake();
    });
  }

  get #hasWork(): boolean {
    return this.#jobs.length + this.#reads.length > 0 || this.#isOverdue;
  }

  async #run(): Promise<void> {
    while (this.#hasWork) {
      await this.#read();
      // SQLite is synchronous: without yielding to the event loop, requests that end together would each need a
      // commit.
      await nextTurn();
      const batch = this.#jobs.splice(0, largestBatch);
      this.#batch = batch;
      this.#pace.add(batch.length);
      const isBusy = this.#dependencies.running() > batch.length || this.#pace.isSteady;
      if (batch.length > 0 && isBusy) await this.#journal(batch);
      else await this.#store(batch);
      if (this.#isOverdue || this.#behindCount >= maxJournaledPerStep) await this.#store([]);
    }
  }

  async #read(): Promise<void> {
    if (this.#reads.length === 0) return;
    await this.#store([]);
    const reads = this.#reads;
    this.#reads = [];
    for (const read of reads) await read();
  }

  async #journal(batch: readonly Job[]): Promise<void> {
    const settlements = batch.map(({ settlement }) => settlement);
    const entry = await this.#dependencies.store.journal(settlements.map(({ charge }) => charge));
    this.#behind.push({ entry, settlements });
    this.#behindCount += batch.length;
    this.#timer ??= setTimeout(() => {
      this.#isOverdue = true;
      this.#wake();
    }, maxJournaledMs).unref();
    this.#finish(batch);
  }

  /** Writes the journaled charges and a batch to the tables. */
  async #store(batch: readonly Job[]): Promise<void> {
    const behind = this.#behind;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isOverdue = false;
    if (behind.length + batch.length === 0) return;
    const settled = [...behind.flatMap(({ settlements }) => settlements), ...batch.map(({ settlement }) => settlement)];
    const balances = await this.#dependencies.store.store([...behind.map(groupOf), ...batch.map(aloneOf)]);
    this.#behind = [];
    this.#behindCount = 0;
    for (const { accounts, charge } of settled) for (const account of accounts) account.stored(charge.quota);
    this.#finish(batch);
    for (const balance of balances) this.#dependencies.onSpent(balance);
    const periods = sumByPeriod(settled.map(({ charge }) => charge)).map(({ id }) => id);
    if (periods.length > 0) this.#dependencies.onBudgets?.(periods);
  }

  #finish(batch: readonly Job[]): void {
    this.#unstored -= batch.length;
    this.#batch = [];
    for (const { done } of batch) done();
  }
}

const groupOf = (each: { entry: number; settlements: readonly Settlement[] }): ChargeBatch => ({
  entry: each.entry,
  charges: each.settlements.map(({ charge }) => charge),
});

const aloneOf = ({ settlement }: Job): ChargeBatch => ({ charges: [settlement.charge] });

const windowMs = 100;
/** Charges per window that make it busy: 500 a second. */
const manyInWindow = 50;
/** Number of consecutive busy windows after which the pace counts as steady. */
const windowsBeforeSteady = 3;

/** Detects whether charges arrive so steadily that another one is expected soon, even if no request is in flight. */
export class ChargeRateDetector {
  readonly #now: () => number;
  #windowBegan = Number.NEGATIVE_INFINITY;
  #inWindow = 0;
  #busyWindows = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get isSteady(): boolean {
    return this.#busyWindows >= windowsBeforeSteady;
  }

  add(charges: number): void {
    const now = this.#now();
    const elapsed = now - this.#windowBegan;
    if (elapsed >= windowMs) {
      const wasBusy = this.#inWindow >= manyInWindow && elapsed < 2 * windowMs;
      this.#busyWindows = wasBusy ? this.#busyWindows + 1 : 0;
      this.#windowBegan = now;
      this.#inWindow = 0;
    }
    this.#inWindow += charges;
  }
}
