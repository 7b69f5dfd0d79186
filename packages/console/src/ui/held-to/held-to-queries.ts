import { limitRuleApi, ownBudgetApi, userLimitApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

const name = 'held-to';

/** What holds the requests of whoever is signed in. */
export const ownHeldQuery = queryOptions({
  queryKey: [name, 'own'],
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

/** The budgets of whoever is signed in, in one call for all rows of a list: those that are drawn a moment later ask no more. */
export const ownBudgetsQuery = queryOptions({
  queryKey: [name, 'budgets'],
  queryFn: ({ signal }) => call(ownBudgetApi.list, {}, { signal }),
  staleTime: 5000,
  meta: { quiet: true },
});

/** What holds the requests of another user; for admins. */
export const userHeldQuery = (id: number) =>
  queryOptions({
    queryKey: [name, 'user', id],
    queryFn: ({ signal }) => call(userLimitApi.read, { params: { id } }, { signal }),
    staleTime: 0,
    meta: { quiet: true },
  });
