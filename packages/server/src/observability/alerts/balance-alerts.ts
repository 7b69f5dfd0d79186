import type { UserService } from '../../accounts/users/user-service.ts';
import type { Balance } from '../../records/totals/rollup-batch.ts';
import { balanceEvent, dropsBelowThreshold } from './account-events.ts';
import type { AlertCache } from './alert-cache.ts';
import type { AlertEvent } from './alert-event.ts';

interface BalanceAlertsDependencies {
  readonly book: AlertCache;
  readonly users: Pick<UserService, 'find'>;
  /** Formats a quota for display. */
  readonly amount: (points: number) => string;
  readonly raise: (event: AlertEvent) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Raises an event when a user's balance falls below the threshold of a rule. Runs in the background. */
export class BalanceAlerts {
  readonly #dependencies: BalanceAlertsDependencies;

  constructor(dependencies: BalanceAlertsDependencies) {
    this.#dependencies = dependencies;
  }

  spent(balance: Balance): void {
    const { book, onFailure } = this.#dependencies;
    const crossed = book
      .rulesOf('user_balance')
      .map(({ threshold }) => threshold)
      .filter((threshold) => dropsBelowThreshold(threshold, balance.before, balance.left));
    if (crossed.length > 0) this.#notify(balance, new Set(crossed)).catch(onFailure);
  }

  async #notify({ userId, before, left }: Balance, thresholds: ReadonlySet<number>): Promise<void> {
    const { users, amount, raise } = this.#dependencies;
    const user = await users.find(userId);
    if (!user) return;
    for (const threshold of thresholds) raise(balanceEvent({ user, before, left, amount }, threshold));
  }
}
