import type { Platform } from '../platform/create-platform.ts';
import type { MailService } from '../platform/mail/mail-service.ts';
import type { LogService } from '../records/logs/log-service.ts';
import { BudgetNotificationRepository } from './budgets/budget-notification-repository.ts';
import { BudgetNotifications, type BudgetThresholdReached } from './budgets/budget-notifications.ts';
import { effectiveTimeZone } from './budgets/budget-period.ts';
import { BudgetRepository, type BudgetRow } from './budgets/budget-repository.ts';
import { presentBudget } from './budgets/budget-values.ts';
import type { MembershipService } from './organizations/membership-service.ts';
import type { UserService } from './users/user-service.ts';

type Memberships = Pick<MembershipService, 'emailsOf' | 'emailOf'>;

interface BudgetMailDependencies {
  readonly users: UserService;
  readonly memberships: Memberships;
  readonly logs: LogService;
  readonly mail: MailService;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Emails the owner of a budget; for a group budget, the owner of the gateway. Budgets of an organization are emailed to
 * its owners and admins, and a member's cap to the member too.
 */
class BudgetMail {
  readonly #dependencies: BudgetMailDependencies;

  constructor(dependencies: BudgetMailDependencies) {
    this.#dependencies = dependencies;
  }

  reached(reached: BudgetThresholdReached): void {
    if (this.#dependencies.mail.isSetUp) this.#write(reached).catch(this.#dependencies.onFailure);
  }

  async #write({ percent, owner, used, budget }: BudgetThresholdReached): Promise<void> {
    const { logs, mail } = this.#dependencies;
    const { period_end, time_zone, amount } = presentBudget(budget);
    const timeZone = effectiveTimeZone(time_zone);
    const again =
      period_end === 0 ? '' : `→ ${new Date(period_end * 1000).toLocaleString('sv', { timeZone })} (${timeZone})`;
    const values = { percent: String(percent), owner, used: logs.amount(used), budget: logs.amount(amount), again };
    for (const to of await this.#readers(budget)) mail.send('budget', to, undefined, values);
  }

  async #readers({ user_id, owner_kind, owner_id }: BudgetRow): Promise<readonly string[]> {
    const { users, memberships } = this.#dependencies;
    if (user_id === null) return users.ownersEmails();
    const user = await users.find(user_id);
    if (user) return user.email ? [user.email] : [];
    const managers = await memberships.emailsOf(user_id, ['owner', 'admin']);
    const member = owner_kind === 'member' ? await memberships.emailOf(owner_id) : undefined;
    return [...new Set([...managers, ...(member ? [member] : [])])];
  }
}

interface BudgetNoticesDependencies {
  readonly platform: Platform;
  readonly logs: LogService;
  readonly users: UserService;
  readonly memberships: Memberships;
  readonly onReached: (reached: BudgetThresholdReached) => void;
}

/** Notifies users and alert rules when a budget threshold is reached. */
export function createBudgetNotifications({
  platform,
  logs,
  users,
  memberships,
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
  const mailing = new BudgetMail({ users, memberships, logs, mail, onFailure });
  notices.onReached((reached) => mailing.reached(reached));
  notices.onReached(onReached);
  return notices;
}
