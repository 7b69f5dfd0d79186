import type { OptionValues, ShareState } from '@headgate/contract';

export type ReferralTerms = Pick<
  OptionValues,
  | 'ReferralSharePercent'
  | 'ReferralShareFixed'
  | 'ReferralFirstOrderOnlyEnabled'
  | 'ReferralShareCap'
  | 'ReferralWaitDays'
  | 'ReferralPayoutMinimum'
>;

interface PaidOrder {
  /** Points of the order, including the bonus. */
  readonly quota: number;
  readonly bonus_quota: number;
}

/** Share of an order without refunds, never more than the bought points. */
export function shareOfOrder(terms: ReferralTerms, { quota, bonus_quota }: PaidOrder): number {
  const bought = quota - bonus_quota;
  const part = (BigInt(bought) * BigInt(terms.ReferralSharePercent)) / 100n;
  return Math.min(Number(part) + terms.ReferralShareFixed, bought);
}

/** Share of a partly refunded order, rounded down. */
export const shareAfterRefund = (full: number, kept: number, { quota }: PaidOrder): number =>
  kept >= quota ? full : Number((BigInt(full) * BigInt(Math.max(0, kept))) / BigInt(quota));

interface StoredShare {
  readonly quota: number;
  readonly available_time: number;
}

export function shareState({ quota, available_time }: StoredShare, now: number): ShareState {
  if (quota === 0) return 'cancelled';
  return available_time > now ? 'waiting' : 'available';
}
