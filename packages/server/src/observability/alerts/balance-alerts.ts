import type { MembershipService } from '../../accounts/organizations/membership-service.ts';
import type { UserService } from '../../accounts/users/user-service.ts';
import type { Balance } from '../../records/totals/rollup-batch.ts';
import { balanceEvent, dropsBelowThreshold, organizationBalanceEvent } from './account-events.ts';
import type { AlertCache } from './alert-cache.ts';
import type { AlertEvent } from './alert-event.ts';

interface BalanceAlertsDependencies {
  readonly book: AlertCache;
  readonly users: Pick<UserService, 'find'>;
  readonly memberships: Pick<MembershipService, 'organization'>;
  /** Formats a quota for display. */
  readonly amount: (points: number) => string;
  readonly raise: (event: AlertEvent) => void;
  readonly onFailure: (error: unknown) => void;
}

const kinds = ['user_balance', 'organization_balance'] as const;

/** Raises an event when the balance of a user or an organization falls below the threshold of a rule. Runs in the background. */
export class BalanceAlerts {
  readonly #dependencies: BalanceAlertsDependencies;

  constructor(dependencies: BalanceAlertsDependencies) {
    this.#dependencies = dependencies;
  }

  spent(balance: Balance): void {
    const { book, onFailure } = this.#dependencies;
    const crossed = kinds
      .flatMap((kind) => book.rulesOf(kind))
      .filter(({ threshold }) => dropsBelowThreshold(threshold, balance.before, balance.left));
    if (crossed.length > 0) this.#notify(balance, new Set(crossed.map(({ threshold }) => threshold))).catch(onFailure);
  }

  async #notify({ userId, before, left }: Balance, thresholds: ReadonlySet<number>): Promise<void> {
    const { users, memberships, amount, raise } = this.#dependencies;
    const user = await users.find(userId);
    const organization = user ? undefined : await memberships.organization(userId);
    for (const threshold of thresholds) {
      if (user) raise(balanceEvent({ user, before, left, amount }, threshold));
      if (organization) raise(organizationBalanceEvent({ organization, before, left, amount }, threshold));
    }
  }
}
