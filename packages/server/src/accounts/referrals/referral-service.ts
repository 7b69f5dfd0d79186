import {
  logType,
  type OwnPayout,
  type Parsed,
  type Payout,
  type ReferralShare,
  type ReferralSummary,
  type referralApi,
} from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { isSealed, type SecretBox } from '../../platform/secrets/secret-box.ts';
import { type LogService, userEvent } from '../../records/logs/log-service.ts';
import { requireHigherRole } from '../users/user-authority.ts';
import type { UserService } from '../users/user-service.ts';
import type { ReferralRepository } from './referral-repository.ts';
import { type ReferralTerms, shareState } from './referral-share.ts';

type Page = Parsed<typeof referralApi.shares>['query'];
type Closing = Parsed<typeof referralApi.closePayout>['body'];

interface ReferralServiceDependencies {
  readonly referrals: ReferralRepository;
  readonly users: UserService;
  readonly logs: LogService;
  readonly options: { readonly values: ReferralTerms };
  readonly box: SecretBox;
  readonly inTransaction: InTransaction;
  /** Unix seconds. */
  readonly now: () => number;
}

/** Referral shares of a user: what has been earned, transfers to the balance and payouts. */
export class ReferralService {
  readonly #dependencies: ReferralServiceDependencies;

  constructor(dependencies: ReferralServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async read({ id }: UserRow): Promise<ReferralSummary> {
    const { referrals, now } = this.#dependencies;
    await referrals.limitWaits(id, now());
    return this.#summary(this.#dependencies.referrals, id);
  }

  async #summary(referrals: ReferralRepository, userId: number): Promise<ReferralSummary> {
    const { options, now } = this.#dependencies;
    const terms = options.values;
    const { waiting, available } = await referrals.shareSums(userId, now());
    const withdrawn = await referrals.withdrawalSums(userId);
    return {
      enabled: terms.ReferralSharePercent > 0 || terms.ReferralShareFixed > 0,
      percent: terms.ReferralSharePercent,
      fixed: terms.ReferralShareFixed,
      first_order_only: terms.ReferralFirstOrderOnlyEnabled,
      cap: terms.ReferralShareCap,
      wait_days: terms.ReferralWaitDays,
      payout_minimum: terms.ReferralPayoutMinimum,
      invited_users: await referrals.countInvited(userId),
      waiting,
      available: available - withdrawn.transferred - withdrawn.requested - withdrawn.paid_out,
      ...withdrawn,
    };
  }

  async shares({ id }: UserRow, page: Page): Promise<{ rows: ReferralShare[]; total: number }> {
    const { referrals, now } = this.#dependencies;
    const { rows, total } = await referrals.shares(id, page);
    return { rows: rows.map((row) => ({ ...row, state: shareState(row, now()) })), total };
  }

  async ownPayouts({ id }: UserRow, page: Page): Promise<{ rows: OwnPayout[]; total: number }> {
    const { rows, total } = await this.#dependencies.referrals.ownPayouts(id, page);
    return { rows: rows.map(this.#present), total };
  }

  async payouts(listing: Parsed<typeof referralApi.payouts>['query']): Promise<{ rows: Payout[]; total: number }> {
    const { rows, total } = await this.#dependencies.referrals.payouts(listing);
    return { rows: rows.map(this.#present), total };
  }

  /** Encrypts the details of payouts that earlier versions stored as plain text. */
  async sealDetails(): Promise<void> {
    const { referrals, box } = this.#dependencies;
    for (const { id, details } of await referrals.unsealed())
      await referrals.update(id, { details: box.seal(details) });
  }

  readonly #present = <Row extends { readonly details: string }>(row: Row): Row => ({
    ...row,
    // One damaged row must not break the list.
    details: isSealed(row.details) ? (this.#dependencies.box.openIfReadable(row.details) ?? '') : row.details,
  });

  /** Adds available shares to the balance. */
  transfer(user: UserRow, quota: number): Promise<ReferralSummary> {
    return this.#withdraw(user, { kind: 'transfer', quota, state: 'paid', details: '' }, async (transaction) => {
      const { users, logs } = this.#dependencies;
      await users.credit(transaction, user.id, quota);
      const values = { amount: logs.amount(quota) };
      await logs.record(transaction, { type: logType.system, event: 'referral.transferred', user, values, quota });
    });
  }

  /** Reserves available shares until an admin marks the payout as paid or rejects it. */
  requestPayout(user: UserRow, quota: number, details: string): Promise<ReferralSummary> {
    const { logs, options, box } = this.#dependencies;
    const minimum = options.values.ReferralPayoutMinimum;
    if (minimum === 0) throw new ApiError('payoutsOff');
    if (quota < minimum) throw new ApiError('payoutTooSmall', { amount: logs.amount(minimum) });
    return this.#withdraw(
      user,
      { kind: 'payout', quota, state: 'requested', details: box.seal(details) },
      (transaction) => {
        const values = { user: user.username, amount: logs.amount(quota) };
        return logs.record(transaction, { type: logType.system, event: 'referral.payout_requested', user, values });
      },
    );
  }

  #withdraw(
    user: UserRow,
    withdrawal: {
      readonly kind: 'transfer' | 'payout';
      readonly quota: number;
      readonly state: 'paid' | 'requested';
      readonly details: string;
    },
    complete: (transaction: Transaction) => Promise<void>,
  ): Promise<ReferralSummary> {
    const { inTransaction, now } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const referrals = this.#dependencies.referrals.within(transaction);
      await referrals.lock(user.id);
      const { available } = await this.#summary(referrals, user.id);
      if (withdrawal.quota > available) throw new ApiError('referralSharesTooSmall');
      const time = now();
      const closed_time = withdrawal.kind === 'transfer' ? time : 0;
      await referrals.insertWithdrawal({ ...withdrawal, user_id: user.id, created_time: time, closed_time });
      await complete(transaction);
      return this.#summary(referrals, user.id);
    });
  }

  /** Marks a requested payout as paid, or rejects it, which makes its shares available again. */
  closePayout(admin: UserRow, id: number, { state, note }: Closing): Promise<Payout> {
    const { users, logs, inTransaction, now } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const referrals = this.#dependencies.referrals.within(transaction);
      const { user_id: userId } = await found(referrals, id);
      await referrals.lock(userId);
      const payout = await found(referrals, id);
      const user = await users.lock(transaction, userId);
      requireHigherRole(admin, user, 'editEqualOrHigher');
      if (payout.state !== 'requested') throw new ApiError('payoutClosed');
      await referrals.update(id, { state, note, closed_time: now(), closed_by: admin.id });
      const event = state === 'paid' ? 'referral.payout_paid' : 'referral.payout_rejected';
      await logs.record(transaction, userEvent(admin, user, event, { amount: logs.amount(payout.quota), note }));
      return this.#present(await found(referrals, id));
    });
  }
}

async function found(referrals: ReferralRepository, id: number) {
  const payout = await referrals.findPayout(id);
  if (!payout) throw new ApiError('notFound');
  return payout;
}
