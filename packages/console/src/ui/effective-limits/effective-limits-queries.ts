import { limitRuleApi, ownBudgetApi, userLimitApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

/** First part of the query keys. */
export const effectiveLimitsKey = 'held-to';

/** Effective limits and budgets of the signed-in user. */
export const ownEffectiveLimitsQuery = queryOptions({
  queryKey: [effectiveLimitsKey, 'own'],
  queryFn: async ({ signal }) => {
    const [limits, budgets] = await Promise.all([
      call(limitRuleApi.own, {}, { signal }),
      call(ownBudgetApi.list, {}, { signal }),
    ]);
    return { limits, budgets };
  },
  staleTime: 0,
  meta: { quiet: true },
});

/** Budgets of the signed-in user, fetched once for all rows of a list; rows rendered later reuse the result. */
export const ownBudgetsQuery = queryOptions({
  queryKey: [effectiveLimitsKey, 'budgets'],
  queryFn: ({ signal }) => call(ownBudgetApi.list, {}, { signal }),
  staleTime: 5000,
  meta: { quiet: true },
});

/** Effective limits and budgets of another user, for admins. */
export const userEffectiveLimitsQuery = (id: number) =>
  queryOptions({
    queryKey: [effectiveLimitsKey, 'user', id],
    queryFn: ({ signal }) => call(userLimitApi.read, { params: { id } }, { signal }),
    staleTime: 0,
    meta: { quiet: true },
  });
