import type { Transaction } from '../../platform/db/transaction.ts';
import { secondsPerDay } from '../../records/logs/hours.ts';
import type { ReferralRepository, ShareRow } from './referral-repository.ts';
import { type ReferralTerms, shareAfterRefund, shareOfOrder } from './referral-share.ts';

interface PaidOrder {
  readonly id: number;
  readonly account_id: number;
  /** Points of the order, including the bonus. */
  readonly quota: number;
  readonly bonus_quota: number;
  /** True if the order was already credited, under the terms valid at that time. */
  readonly was_credited: boolean;
}

interface ReferralSharesDependencies {
  readonly referrals: ReferralRepository;
  readonly options: { readonly values: ReferralTerms };
  /** Unix seconds. */
  readonly now: () => number;
}

/**
 * Shares of inviters in the orders of users they invited. The transaction holds the order lock. Inviters are locked
 * after the users they invited, so they cannot wait for each other.
 */
export class ReferralShares {
  readonly #dependencies: ReferralSharesDependencies;

  constructor(dependencies: ReferralSharesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Creates or changes the share of an order for which this many credited points are not refunded or disputed. */
  async settle(transaction: Transaction, order: PaidOrder, kept: number): Promise<void> {
    const share = await this.#dependencies.referrals.within(transaction).ofOrder(order.id);
    if (share) await this.#change(transaction, share, shareAfterRefund(share.full_quota, kept, order));
    else if (kept > 0 && !order.was_credited) await this.#create(transaction, order, kept);
  }

  async #create(transaction: Transaction, order: PaidOrder, kept: number): Promise<void> {
    const { options, now } = this.#dependencies;
    const terms = options.values;
    const full = shareOfOrder(terms, order);
    if (full === 0) return;
    const referrals = this.#dependencies.referrals.within(transaction);
    const invited_id = order.account_id;
    const inviter_id = await referrals.enabledInviterOf(invited_id);
    if (inviter_id === undefined) return;
    await referrals.lock(inviter_id);
    if (terms.ReferralFirstOrderOnlyEnabled && (await referrals.hasPaidBefore(invited_id, order.id))) return;
    const cap = terms.ReferralShareCap;
    const row = { order_id: order.id, inviter_id, invited_id, full_quota: full, cap };
    const quota = await this.#capped(transaction, row, shareAfterRefund(full, kept, order));
    if (quota === 0) return;
    const created_time = now();
    const available_time = created_time + terms.ReferralWaitDays * secondsPerDay;
    await referrals.insert({ ...row, quota, created_time, available_time });
  }

  /** After the waiting period, a share is never reduced, because it may have been withdrawn. */
  async #change(transaction: Transaction, share: ShareRow, target: number): Promise<void> {
    const referrals = this.#dependencies.referrals.within(transaction);
    await referrals.lock(share.inviter_id);
    const quota = await this.#capped(transaction, share, target);
    const isWaiting = this.#dependencies.now() < share.available_time;
    if (quota === share.quota || (!isWaiting && quota < share.quota)) return;
    await referrals.setQuota(share.id, quota);
  }

  async #capped(
    transaction: Transaction,
    { cap, invited_id, order_id }: Pick<ShareRow, 'cap' | 'invited_id' | 'order_id'>,
    quota: number,
  ): Promise<number> {
    if (cap === 0) return quota;
    const others = await this.#dependencies.referrals.within(transaction).sumOfInvited(invited_id, order_id);
    return Math.min(quota, Math.max(0, cap - others));
  }
}
