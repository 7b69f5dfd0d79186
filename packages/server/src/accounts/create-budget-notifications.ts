import type { Platform } from '../platform/create-platform.ts';
import type { LogService } from '../records/logs/log-service.ts';
import { BudgetMail } from './budgets/budget-mail.ts';
import { BudgetNotificationRepository } from './budgets/budget-notification-repository.ts';
import { BudgetNotifications, type BudgetThresholdReached } from './budgets/budget-notifications.ts';
import { BudgetRepository } from './budgets/budget-repository.ts';
import type { UserService } from './users/user-service.ts';

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
