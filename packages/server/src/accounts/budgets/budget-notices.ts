import { budgetNotices, logType } from '@headgate/contract';
import type { InTransaction } from '../../platform/db/transaction.ts';
import type { LogService, LogUser } from '../../records/logs/log-service.ts';
import type { BudgetNoticeRepository } from './budget-notice-repository.ts';
import type { BudgetRepository, BudgetRow } from './budget-repository.ts';
import { ownerWords } from './budget-values.ts';

/** A share of a budget was reached: told once for each period, over all nodes. */
export interface BudgetReached {
  readonly percent: (typeof budgetNotices)[number];
  readonly budget: BudgetRow;
  /** What sentences call its owner. */
  readonly owner: string;
  /** Points that were used. */
  readonly used: number;
}

interface BudgetNoticesDependencies {
  readonly notices: BudgetNoticeRepository;
  readonly budgets: BudgetRepository;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
  readonly onFailure: (error: unknown) => void;
}

type Listener = (reached: BudgetReached) => void;

type Due = Awaited<ReturnType<BudgetNoticeRepository['reached']>>[number];

/** However much is charged, it is looked at this often at most. */
const lookEveryMs = 200;

/** Tells when half, four fifths and all of a budget are used. Makes nobody wait. */
export class BudgetNotices {
  readonly #dependencies: BudgetNoticesDependencies;
  readonly #listeners: Listener[] = [];
  /** Periods that something was charged to since the last look. */
  #charged = new Set<number>();
  /** Nobody knows to which: all are looked at. */
  #isUnknown = false;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(dependencies: BudgetNoticesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Who tells people of it, in whichever way; told after the row of the log is stored. */
  onReached(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Something was charged to these periods; undefined: nobody knows to which, as a process may have been killed. */
  charged(periods: readonly number[] | undefined): void {
    if (periods === undefined) this.#isUnknown = true;
    else for (const period of periods) this.#charged.add(period);
    this.#timer ??= setTimeout(() => this.#look(), lookEveryMs).unref();
  }

  #look(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const periods = this.#isUnknown ? undefined : [...this.#charged];
    this.#isUnknown = false;
    this.#charged = new Set();
    if (periods?.length === 0) return;
    this.#running = this.#running.then(() => this.#tell(periods)).catch(this.#dependencies.onFailure);
  }

  /** Waits until what was charged before is told. */
  async close(): Promise<void> {
    this.#look();
    await this.#running;
  }

  async #tell(periods: readonly number[] | undefined): Promise<void> {
    for (const due of await this.#dependencies.notices.reached(periods)) await this.#tellOne(due);
  }

  /** Where several shares are reached at once, the largest says it all. */
  async #tellOne({ id, budget_id, used, noticed, amount }: Due): Promise<void> {
    const { notices, budgets, logs, inTransaction } = this.#dependencies;
    const percent = budgetNotices.findLast((each) => used * 100 >= amount * each);
    if (percent === undefined || percent <= noticed) return;
    const reached = await inTransaction(async (transaction) => {
      if (!(await notices.within(transaction).mark(id, percent))) return undefined;
      const budget = await budgets.within(transaction).find(budget_id);
      if (!budget) return undefined;
      const owner = ownerWords(budget);
      const values = { percent, owner, used: logs.amount(used), budget: logs.amount(amount) };
      const user = readerOf(budget);
      await logs.record(transaction, { type: logType.system, event: 'budget.reached', user, values });
      return { percent, budget, owner, used };
    });
    if (reached) for (const listener of this.#listeners) listener(reached);
  }
}

/** In whose log it stands; of a group, in nobody's. */
const readerOf = ({ user_id, username }: BudgetRow): LogUser => ({ id: user_id ?? 0, username: username ?? '' });
