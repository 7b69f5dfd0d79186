import { type ReferralSummary, referralApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';

export const referralKey = 'referral';

export const referralQuery = queryOptions({
  queryKey: [referralKey, 'summary'],
  queryFn: ({ signal }) => call(referralApi.read, {}, { signal }),
  staleTime: 0,
});

/** True if orders earn referral shares, or the user has earned any before. */
export const hasReferrals = ({ enabled, waiting, available, transferred, requested, paid_out }: ReferralSummary) =>
  enabled || waiting + available + transferred + requested + paid_out > 0;
