import { type Input, ownPlanApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

export const ownPlansQuery = queryOptions({
  queryKey: ['plan', 'own'],
  queryFn: ({ signal }) => call(ownPlanApi.own, {}, { signal }),
  staleTime: 0,
});

export const planOffersQuery = queryOptions({
  queryKey: ['plan', 'offers'],
  queryFn: ({ signal }) => call(ownPlanApi.offers, {}, { signal }),
  staleTime: 0,
});

/** Creates an order and returns the URL of the payment page. */
export const buyPlan = (body: Input<typeof ownPlanApi.buy>['body']) => call(ownPlanApi.buy, { body });

export const setRenewal = ({ id, renews }: { readonly id: number; readonly renews: boolean }) =>
  call(ownPlanApi.renewal, { params: { id }, body: { renews } });

export const cancelPlan = (id: number) => call(ownPlanApi.cancel, { params: { id } });
