import { randomInt } from 'node:crypto';
import { type CheckIn, logType, type OptionValues } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { secondsPerDay } from '../../records/logs/hours.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { BotCheckService, Visitor } from '../bot-check/turnstile.ts';
import type { UserService } from '../users/user-service.ts';
import type { CheckInRepository } from './check-in-repository.ts';

type Settings = Pick<
  OptionValues,
  'CheckInEnabled' | 'CheckInMinQuota' | 'CheckInMaxQuota' | 'EmailVerificationEnabled'
>;

interface CheckInDependencies {
  readonly checkIns: CheckInRepository;
  readonly users: UserService;
  /** Id of the organization that manages an account. */
  readonly managedAccounts: { managerOf(userId: number): Promise<number | undefined> };
  readonly logs: LogService;
  readonly visitors: BotCheckService;
  readonly options: { readonly values: Settings };
  readonly inTransaction: InTransaction;
  /** Unix seconds. */
  readonly now: () => number;
}

/** Largest range of `randomInt`. */
const maxRange = 2 ** 48 - 1;

/** Daily check-ins, which add a random amount of quota once per UTC day. */
export class CheckInService {
  readonly #dependencies: CheckInDependencies;

  constructor(dependencies: CheckInDependencies) {
    this.#dependencies = dependencies;
  }

  async read({ id }: UserRow): Promise<CheckIn> {
    const isOffered = this.#dependencies.options.values.CheckInEnabled && !(await this.#isManaged(id));
    const today = this.#today();
    const last = await this.#dependencies.checkIns.lastDay(id);
    const { min, max } = this.#bounds();
    return {
      enabled: isOffered,
      checked_in: last !== undefined && last >= today,
      min_quota: min,
      max_quota: max,
      next_time: (today + 1) * secondsPerDay,
    };
  }

  /** Returns the added quota. */
  async run(user: UserRow, visitor: Visitor): Promise<number> {
    const { checkIns, users, logs, visitors, options, inTransaction } = this.#dependencies;
    const { EmailVerificationEnabled } = options.values;
    const { enabled, checked_in } = await this.read(user);
    if (!enabled) throw new ApiError('checkInOff');
    // Only verified addresses are stored.
    if (EmailVerificationEnabled && !user.email) throw new ApiError('checkInEmailNeeded');
    if (checked_in) throw new ApiError('alreadyCheckedIn');
    await visitors.require(visitor);
    const { min, max } = this.#bounds();
    const quota = min + randomInt(Math.min(max - min + 1, maxRange));
    await inTransaction(async (transaction) => {
      if (!(await checkIns.within(transaction).remember(user.id, this.#today())))
        throw new ApiError('alreadyCheckedIn');
      await users.credit(transaction, user.id, quota);
      const values = { amount: logs.amount(quota) };
      await logs.record(transaction, { type: logType.system, event: 'user.checked_in', user, values, quota });
    });
    return quota;
  }

  /** Organizations create their accounts in any number, which would each earn the reward. */
  async #isManaged(userId: number): Promise<boolean> {
    return (await this.#dependencies.managedAccounts.managerOf(userId)) !== undefined;
  }

  #bounds() {
    const { CheckInMinQuota: min, CheckInMaxQuota: max } = this.#dependencies.options.values;
    return { min, max: Math.max(min, max) };
  }

  #today(): number {
    return Math.floor(this.#dependencies.now() / secondsPerDay);
  }
}
