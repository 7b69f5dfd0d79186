import { type Input, type ReferralSummary, referralApi, userApi } from '@headgate/contract';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { referralKey, referralQuery } from '../../lib/account/referral-query.ts';
import { selfQuery } from '../../lib/account/self-query.ts';
import { call, callList } from '../../lib/api/call.ts';

export const rowsPerPage = 10;

export const sharesQuery = (page: number) =>
  queryOptions({
    queryKey: [referralKey, 'shares', page],
    queryFn: ({ signal }) => callList(referralApi.shares, { query: { p: page, size: rowsPerPage } }, { signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

export const ownPayoutsQuery = (page: number) =>
  queryOptions({
    queryKey: [referralKey, 'payouts', page],
    queryFn: ({ signal }) => callList(referralApi.ownPayouts, { query: { p: page, size: rowsPerPage } }, { signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

export const inviteLinkQuery = queryOptions({
  queryKey: [referralKey, 'link'],
  queryFn: async ({ signal }) => {
    const code = await call(userApi.inviteCode, {}, { signal });
    return `${window.location.origin}/register?aff=${encodeURIComponent(code)}`;
  },
});

/** Transfers and payouts of available shares; totals are refetched afterwards. */
export function useWithdrawals() {
  const queries = useQueryClient();
  const onSuccess = async (summary: ReferralSummary) => {
    queries.setQueryData(referralQuery.queryKey, summary);
    await Promise.all([
      queries.invalidateQueries({ queryKey: [referralKey] }),
      queries.invalidateQueries({ queryKey: selfQuery.queryKey }),
    ]);
  };
  const transfer = useMutation({
    mutationFn: (body: Input<typeof referralApi.transfer>['body']) => call(referralApi.transfer, { body }),
    onSuccess,
  });
  const payout = useMutation({
    mutationFn: (body: Input<typeof referralApi.requestPayout>['body']) => call(referralApi.requestPayout, { body }),
    onSuccess,
  });
  return { transfer, payout };
}
