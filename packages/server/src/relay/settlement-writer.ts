import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '@headgate/relay';
import { nowInSeconds } from '../clock.ts';
import type { LogService, RequestRecord } from '../logs/log-service.ts';
import type { InTransaction, Transaction } from '../transaction.ts';
import type { Balance } from './quota-reminder.ts';
import type { SettlementRepository, Spending } from './settlement-repository.ts';

export interface Settlement {
  readonly quota: number;
  readonly user: { readonly id: number; readonly account: Account };
  readonly token: { readonly id: number; readonly account: Account | undefined };
  /** 0 when no channel delivered anything. */
  readonly channel: number;
  /** Undefined: nothing is written down. */
  readonly record: RequestRecord | undefined;
}

interface Job {
  readonly settlement: Settlement;
  readonly done: () => void;
}

interface Written {
  readonly balances: readonly Balance[];
  /** Null where a transaction's fate is never in doubt. */
  readonly transactionId: number | null;
}

interface Parts {
  readonly settlements: SettlementRepository;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
  /** A user's balance has fallen, and this is stored. */
  readonly onSpent: (balance: Balance) => void;
  readonly onFailure: (error: unknown) => void;
}

const largestBatch = 500;
const retryAfterMs = 200;
/** So many charges at once say that more are on their way. */
const busyBatch = 8;
const patienceMs = 2;

/**
 * Stores charges in groups: what settles while a commit runs goes into the next one. One writer at a time, so that a
 * read in between sees exactly what memory counts as stored.
 */
export class SettlementWriter {
  readonly #parts: Parts;
  #jobs: Job[] = [];
  #reads: (() => Promise<void>)[] = [];
  #running: Promise<void> | undefined;
  #unstored = 0;
  #lastBatch = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** How many charges are not durable yet. */
  get unstored(): number {
    return this.#unstored;
  }

  /** Resolves when the charge is durable. */
  write(settlement: Settlement): Promise<void> {
    return new Promise((done) => {
      this.#jobs.push({ settlement, done });
      this.#unstored += 1;
      this.#wake();
    });
  }

  /** Reads while nothing is being written; what the reader changes in memory is changed before the next write. */
  readBetween<T>(read: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#reads.push(() => read().then(resolve, reject));
      this.#wake();
    });
  }

  /** Waits until everything that was to be stored is. */
  async drain(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  #wake(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#jobs.length + this.#reads.length > 0) this.#wake();
    });
  }

  async #run(): Promise<void> {
    while (this.#jobs.length + this.#reads.length > 0) {
      const reads = this.#reads;
      this.#reads = [];
      for (const read of reads) await read();
      await this.#gather();
      const batch = this.#jobs.splice(0, largestBatch);
      this.#lastBatch = batch.length;
      if (batch.length > 0) await this.#store(batch);
    }
  }

  /**
   * SQLite answers at once: without a turn of the loop, requests that end together would each have a commit. Where many
   * do, a little more patience saves most of the commits.
   */
  async #gather(): Promise<void> {
    await nextTurn();
    if (this.#lastBatch >= busyBatch && this.#jobs.length < this.#lastBatch) await sleep(patienceMs);
  }

  async #store(batch: readonly Job[]): Promise<void> {
    const balances = await this.#untilStored(batch.map(({ settlement }) => settlement));
    this.#unstored -= batch.length;
    for (const { settlement, done } of batch) {
      settlement.user.account.stored(settlement.quota);
      settlement.token.account?.stored(settlement.quota);
      done();
    }
    for (const balance of balances) this.#parts.onSpent(balance);
  }

  /** Where the database is away, nobody has seen the end of a reply: it is tried until it is back. */
  async #untilStored(all: readonly Settlement[]): Promise<readonly Balance[]> {
    for (;;) {
      const attempt: { written?: Written } = {};
      try {
        return await this.#parts.inTransaction(async (transaction) => {
          attempt.written = await this.#writeAll(transaction, all);
          return attempt.written.balances;
        });
      } catch (error) {
        this.#parts.onFailure(error);
        await sleep(retryAfterMs);
        if (attempt.written && (await this.#wasCommitted(attempt.written))) return attempt.written.balances;
        if (isRefused(error)) return this.#storeSingly(all);
      }
    }
  }

  /** One of them cannot be written down as it is; the others need not wait for it, and it is charged all the same. */
  async #storeSingly(all: readonly Settlement[]): Promise<readonly Balance[]> {
    const [first] = all;
    if (all.length === 1 && first) return this.#untilStored([{ ...first, record: undefined }]);
    const balances: Balance[] = [];
    for (const settlement of all) balances.push(...(await this.#untilStored([settlement])));
    return balances;
  }

  /** A connection may break while a commit is on its way: then only the database knows, and a guess would charge twice. */
  async #wasCommitted({ transactionId }: Written): Promise<boolean> {
    while (transactionId !== null) {
      try {
        const fate = await this.#parts.settlements.fateOf(transactionId);
        if (fate !== 'in progress') return fate === 'committed';
      } catch (error) {
        this.#parts.onFailure(error);
      }
      await sleep(retryAfterMs);
    }
    return false;
  }

  async #writeAll(transaction: Transaction, all: readonly Settlement[]): Promise<Written> {
    const settlements = this.#parts.settlements.within(transaction);
    const balances: Balance[] = [];
    let transactionId: number | null = null;
    for (const spending of sumBy(all, ({ user }) => user.id)) {
      const spent = await settlements.spendOfUser(spending);
      balances.push({ userId: spending.id, before: spent.left + spending.quota, left: spent.left });
      transactionId = spent.transactionId;
    }
    for (const isLimited of [true, false]) {
      const some = all.filter(({ token }) => (token.account !== undefined) === isLimited);
      for (const spending of sumBy(some, ({ token }) => token.id)) {
        await settlements.spendOfToken(spending, isLimited, nowInSeconds());
      }
    }
    const delivered = all.filter(({ channel }) => channel !== 0);
    for (const spending of sumBy(delivered, ({ channel }) => channel)) await settlements.spendOnChannel(spending);
    await this.#parts.logs.recordRequests(
      transaction,
      all.flatMap(({ record }) => record ?? []),
    );
    return { balances, transactionId };
  }
}

/** The database will not have these values, ever: PostgreSQL's classes of errors about data and constraints. */
const isRefused = (error: unknown): boolean => /^2[23]/.test(String((error as { code?: unknown }).code));

/** In the order of their ids, so that two nodes never wait for each other's rows. */
function sumBy(settlements: readonly Settlement[], idOf: (settlement: Settlement) => number): readonly Spending[] {
  const sums = new Map<number, { id: number; quota: number; requests: number }>();
  for (const settlement of settlements) {
    const id = idOf(settlement);
    const sum = sums.get(id) ?? { id, quota: 0, requests: 0 };
    sum.quota += settlement.quota;
    sum.requests += 1;
    sums.set(id, sum);
  }
  return [...sums.values()].sort((one, other) => one.id - other.id);
}
