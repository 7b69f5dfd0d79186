import { type Input, type Payout, type PayoutState, payoutStates, referralApi } from '@headgate/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, callList } from '../../lib/api/call.ts';
import type { ListPage } from '../../lib/list/list.ts';
import type { ListState } from '../../lib/list/list-state.ts';

export const payoutList = 'payout';

/** State in the query of the URL; unknown values are ignored. */
export const readPayoutState = (text: unknown): PayoutState | undefined =>
  typeof text === 'string' && Object.hasOwn(payoutStates, text) ? (text as PayoutState) : undefined;

export const readPayouts =
  (state: PayoutState | undefined) =>
  ({ p, size }: ListState, signal: AbortSignal): Promise<ListPage<Payout>> =>
    callList(referralApi.payouts, { query: { p, size, ...(state && { state }) } }, { signal });

export function useClosePayout(id: number) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Input<typeof referralApi.closePayout>['body']) =>
      call(referralApi.closePayout, { params: { id }, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: [payoutList] }),
  });
}
