import type { MailService } from '../../platform/mail/mail-service.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { UserService } from '../users/user-service.ts';
import type { BudgetThresholdReached } from './budget-notifications.ts';
import { effectiveZone } from './budget-period.ts';
import { presentBudget } from './budget-values.ts';

interface BudgetMailDependencies {
  readonly users: UserService;
  readonly logs: LogService;
  readonly mail: MailService;
  readonly onFailure: (error: unknown) => void;
}

/** Emails the owner of a budget; for a group budget, the owner of the gateway. */
export class BudgetMail {
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
    const timeZone = effectiveZone(time_zone);
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
