import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Balance } from '../../records/totals/folded.ts';
import type { ChargeGroup } from './charge.ts';
import { ChargePace } from './charge-pace.ts';
import type { ChargeStore } from './charge-store.ts';
import { sumByPeriod } from './charge-sums.ts';
import type { ChargeWriter, Settlement } from './charge-writer.ts';

interface Job {
  readonly settlement: Settlement;
  readonly done: () => void;
  /** When it began to wait, on a clock that only grows. */
  readonly since: number;
}

interface SettlementWriterDependencies {
  readonly store: ChargeStore;
  /** How many requests are under way; those whose charges wait here among them. */
  readonly running: () => number;
  /** A user's balance has fallen, and this is stored. */
  readonly onSpent: (balance: Balance) => void;
  /** Something was charged to these periods of budgets, and this is stored. */
  readonly onBudgets?: (periods: readonly number[]) => void;
  /** Milliseconds that only ever grow; the machine's own unless told otherwise. */
  readonly now?: () => number;
}

const largestBatch = 500;
/** How many charges go from the journal to the tables at once; more would keep the requests waiting too long. */
const mostBehind = 256;
const longestBehindMs = 100;

/**
 * Stores charges on SQLite in groups: what settles while a commit runs goes into the next one. While other requests are under way,
 * or come one after the other, they may go to the journal first, and from there to the tables some hundred at once. One writer at a time, so that a
 * read in between sees exactly what memory counts as stored.
 */
export class SettlementWriter implements ChargeWriter {
  readonly #dependencies: SettlementWriterDependencies;
  readonly #pace: ChargePace;
  #jobs: Job[] = [];
  /** Those being stored now: they came before all others. */
  #batch: readonly Job[] = [];
  #reads: (() => Promise<void>)[] = [];
  /** Entries that are in the journal and not yet in the tables. */
  #behind: { readonly entry: number; readonly settlements: readonly Settlement[] }[] = [];
  #behindCount = 0;
  #isOverdue = false;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #unstored = 0;
  #catchingUp: Promise<void> | undefined;

  constructor(dependencies: SettlementWriterDependencies) {
    this.#dependencies = dependencies;
    this.#pace = new ChargePace(dependencies.now);
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

  /** Shared by all callers: while nothing can be stored, they must not pile up. */
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
      // SQLite answers at once: without a turn of the loop, requests that end together would each have a commit.
      await nextTurn();
      const batch = this.#jobs.splice(0, largestBatch);
      this.#batch = batch;
      this.#pace.add(batch.length);
      const isBusy = this.#dependencies.running() > batch.length || this.#pace.isSteady;
      if (batch.length > 0 && isBusy) await this.#journal(batch);
      else await this.#store(batch);
      if (this.#isOverdue || this.#behindCount >= mostBehind) await this.#store([]);
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
    }, longestBehindMs).unref();
    this.#finish(batch);
  }

  /** Brings into the tables what is only in the journal, and a batch with it. */
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

const groupOf = (each: { entry: number; settlements: readonly Settlement[] }): ChargeGroup => ({
  entry: each.entry,
  charges: each.settlements.map(({ charge }) => charge),
});

const aloneOf = ({ settlement }: Job): ChargeGroup => ({ charges: [settlement.charge] });
