import { budgetNotificationPercents, logType } from '@headgate/contract';
import type { InTransaction } from '../../platform/db/transaction.ts';
import type { LogService, LogUser } from '../../records/logs/log-service.ts';
import type { BudgetNotificationRepository } from './budget-notification-repository.ts';
import type { BudgetRepository, BudgetRow } from './budget-repository.ts';
import { ownerLabel } from './budget-values.ts';

/** A budget threshold was reached. Emitted once per period across all nodes. */
export interface BudgetThresholdReached {
  readonly percent: (typeof budgetNotificationPercents)[number];
  readonly budget: BudgetRow;
  /** Owner name for messages, for example "token deploy". */
  readonly owner: string;
  /** Quota used in the period. */
  readonly used: number;
}

interface BudgetNoticesDependencies {
  readonly notices: BudgetNotificationRepository;
  readonly budgets: BudgetRepository;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
  readonly onFailure: (error: unknown) => void;
}

type Listener = (reached: BudgetThresholdReached) => void;

type DueNotification = Awaited<ReturnType<BudgetNotificationRepository['reached']>>[number];

/** Minimum interval between checks, regardless of the number of charges. */
const checkIntervalMs = 200;

/** Notifies when 50 %, 80 % and 100 % of a budget are used. Runs in the background, so requests never wait for it. */
export class BudgetNotifications {
  readonly #dependencies: BudgetNoticesDependencies;
  readonly #listeners: Listener[] = [];
  /** Periods charged since the last check. */
  #charged = new Set<number>();
  /** Set when the charged periods are unknown; the next check covers all periods. */
  #isUnknown = false;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(dependencies: BudgetNoticesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Listeners run after the log entry is stored. */
  onReached(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Records the periods of these charges; undefined means unknown, for example after a crash. */
  charged(periods: readonly number[] | undefined): void {
    if (periods === undefined) this.#isUnknown = true;
    else for (const period of periods) this.#charged.add(period);
    this.#timer ??= setTimeout(() => this.#look(), checkIntervalMs).unref();
  }

  #look(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const periods = this.#isUnknown ? undefined : [...this.#charged];
    this.#isUnknown = false;
    this.#charged = new Set();
    if (periods?.length === 0) return;
    this.#running = this.#running.then(() => this.#notify(periods)).catch(this.#dependencies.onFailure);
  }

  /** Waits until notifications for earlier charges are sent. */
  async close(): Promise<void> {
    this.#look();
    await this.#running;
  }

  async #notify(periods: readonly number[] | undefined): Promise<void> {
    for (const due of await this.#dependencies.notices.reached(periods)) await this.#notifyOne(due);
  }

  /** If several thresholds are reached together, only the highest is notified. */
  async #notifyOne({ id, budget_id, used, noticed, amount }: DueNotification): Promise<void> {
    const { notices, budgets, logs, inTransaction } = this.#dependencies;
    const percent = budgetNotificationPercents.findLast((each) => used * 100 >= amount * each);
    if (percent === undefined || percent <= noticed) return;
    const reached = await inTransaction(async (transaction) => {
      if (!(await notices.within(transaction).mark(id, percent))) return undefined;
      const budget = await budgets.within(transaction).find(budget_id);
      if (!budget) return undefined;
      const owner = ownerLabel(budget);
      const values = { percent, owner, used: logs.amount(used), budget: logs.amount(amount) };
      const user = logUserOf(budget);
      await logs.record(transaction, { type: logType.system, event: 'budget.reached', user, values });
      return { percent, budget, owner, used };
    });
    if (reached) for (const listener of this.#listeners) listener(reached);
  }
}

/** User whose log gets the entry; none for group budgets. */
const logUserOf = ({ user_id, username }: BudgetRow): LogUser => ({ id: user_id ?? 0, username: username ?? '' });
