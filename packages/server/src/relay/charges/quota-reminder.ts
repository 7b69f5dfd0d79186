import type { MembershipService } from '../../accounts/organizations/membership-service.ts';
import type { UserService } from '../../accounts/users/user-service.ts';
import type { MailService } from '../../platform/mail/mail-service.ts';
import type { OptionService } from '../../platform/options/option-service.ts';
import type { PublicUrl } from '../../platform/options/public-url.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { Balance } from '../../records/totals/rollup-batch.ts';

interface QuotaReminderDependencies {
  readonly options: OptionService;
  readonly users: UserService;
  readonly memberships: Pick<MembershipService, 'emailsOf' | 'organization'>;
  readonly logs: LogService;
  readonly mail: MailService;
  readonly home: PublicUrl;
  readonly onFailure: (error: unknown) => void;
}

/** Emails a user, or the owners and billing members of an organization, once when the quota falls below the threshold, and again only after it was above the threshold. */
export class QuotaReminder {
  readonly #dependencies: QuotaReminderDependencies;

  constructor(dependencies: QuotaReminderDependencies) {
    this.#dependencies = dependencies;
  }

  /** Does not block the caller. A threshold of 0 disables the reminder. */
  spent(balance: Balance): void {
    const { QuotaRemindThreshold } = this.#dependencies.options.values;
    const isCrossing = balance.before >= QuotaRemindThreshold && balance.left < QuotaRemindThreshold;
    if (!isCrossing || QuotaRemindThreshold === 0 || !this.#dependencies.mail.isSetUp) return;
    this.#remind(balance).catch(this.#dependencies.onFailure);
  }

  async #remind({ userId, left }: Balance): Promise<void> {
    const { users, memberships, logs, mail, home } = this.#dependencies;
    const user = await users.find(userId);
    const organization = user ? undefined : await memberships.organization(userId);
    if (organization) {
      const link = home.url === undefined ? '' : `${home.url}/organization?id=${userId}`;
      const values = { organization: organization.name, left: logs.amount(left), link };
      for (const to of await memberships.emailsOf(userId, ['owner', 'billing']))
        mail.send('organizationLow', to, undefined, values);
    }
    if (!user?.email) return;
    const link = home.url === undefined ? '' : `${home.url}/topup`;
    mail.send('low', user.email, undefined, { left: logs.amount(left), link });
  }
}
