import { BudgetMail } from '../accounts/budgets/budget-mail.ts';
import { BudgetNoticeRepository } from '../accounts/budgets/budget-notice-repository.ts';
import { BudgetNotices } from '../accounts/budgets/budget-notices.ts';
import { BudgetRepository } from '../accounts/budgets/budget-repository.ts';
import type { UserService } from '../accounts/users/user-service.ts';
import { budgetEvent } from '../observability/alerts/account-events.ts';
import type { AlertService } from '../observability/alerts/alert-service.ts';
import type { MailService } from '../platform/mail/mail-service.ts';
import type { AppContext } from './app-dependencies.ts';
import type { CoreServices } from './core-services.ts';

interface BudgetNeighbours {
  readonly users: UserService;
  readonly signIn: { readonly mail: MailService };
  readonly alerting: { readonly alerts: Pick<AlertService, 'raise'> };
}

/** Who is told how much of a budget is used. */
export function makeBudgetNotices(
  { database, logger, lifecycle }: AppContext,
  { logs, inTransaction }: CoreServices,
  { users, signIn: { mail }, alerting: { alerts } }: BudgetNeighbours,
): BudgetNotices {
  const onFailure = (error: unknown) => logger.warn({ err: error }, 'a notice about a budget was not given');
  const notices = new BudgetNotices({
    notices: new BudgetNoticeRepository(database),
    budgets: new BudgetRepository(database),
    logs,
    inTransaction,
    onFailure,
  });
  lifecycle.add({
    name: 'budget notices',
    // Notices that a killed process did not send.
    start: () => notices.charged(undefined),
    stop: () => notices.close(),
  });
  const mailing = new BudgetMail({ users, logs, mail, onFailure });
  notices.onReached((reached) => mailing.reached(reached));
  notices.onReached(({ budget: { id, amount }, owner, percent, used }) =>
    alerts.raise(budgetEvent({ id, owner, percent, spent: logs.amount(used), budget: logs.amount(amount) })),
  );
  return notices;
}
