import type { Platform } from '../platform/create-platform.ts';
import type { MailService } from '../platform/mail/mail-service.ts';
import type { LogService } from '../records/logs/log-service.ts';
import { BudgetNotificationRepository } from './budgets/budget-notification-repository.ts';
import { BudgetNotifications, type BudgetThresholdReached } from './budgets/budget-notifications.ts';
import { effectiveTimeZone } from './budgets/budget-period.ts';
import { BudgetRepository } from './budgets/budget-repository.ts';
import { presentBudget } from './budgets/budget-values.ts';
import type { UserService } from './users/user-service.ts';

interface BudgetMailDependencies {
  readonly users: UserService;
  readonly logs: LogService;
  readonly mail: MailService;
  readonly onFailure: (error: unknown) => void;
}

/** Emails the owner of a budget; for a group budget, the owner of the gateway. */
class BudgetMail {
  readonly #dependencies: BudgetMailDependencies;

  constructor(dependencies: BudgetMailDependencies) {
    this.#dependencies = dependencies;
  }

  reached(reached: BudgetThresholdReached): void {
    if (this.#dependencies.mail.isSetUp) this.#write(reached).catch(this.#dependencies.onFailure);
  }

  async #write({ percent, owner, used, budget }: BudgetThresholdReached): Promise<void> {
    const { users, logs, mail } = this.#dependencies;
    const { period_end, time_zone, amount } = presentBudget(budget);
    const timeZone = effectiveTimeZone(time_zone);
    const again =
      period_end === 0 ? '' : `→ ${new Date(period_end * 1000).toLocaleString('sv', { timeZone })} (${timeZone})`;
    const values = { percent: String(percent), owner, used: logs.amount(used), budget: logs.amount(amount), again };
    for (const to of await this.#readers(budget.user_id, users)) mail.send('budget', to, undefined, values);
  }

  async #readers(userId: number | null, users: UserService): Promise<readonly string[]> {
    if (userId === null) return users.ownersEmails();
    const email = (await users.find(userId))?.email;
    return email ? [email] : [];
  }
}

interface BudgetNoticesDependencies {
  readonly platform: Platform;
  readonly logs: LogService;
  readonly users: UserService;
  readonly onReached: (reached: BudgetThresholdReached) => void;
}

/** Notifies users and alert rules when a budget threshold is reached. */
export function createBudgetNotifications({
  platform,
  logs,
  users,
  onReached,
}: BudgetNoticesDependencies): BudgetNotifications {
  const { database, inTransaction, mail, logger, lifecycle } = platform;
  const onFailure = (error: unknown) => logger.warn({ err: error }, 'failed to send a budget notification');
  const notices = new BudgetNotifications({
    notices: new BudgetNotificationRepository(database),
    budgets: new BudgetRepository(database),
    logs,
    inTransaction,
    onFailure,
  });
  lifecycle.add({
    name: 'budget notices',
    // Sends notifications that a crashed process missed.
    start: () => notices.charged(undefined),
    stop: () => notices.close(),
  });
  const mailing = new BudgetMail({ users, logs, mail, onFailure });
  notices.onReached((reached) => mailing.reached(reached));
  notices.onReached(onReached);
  return notices;
}
