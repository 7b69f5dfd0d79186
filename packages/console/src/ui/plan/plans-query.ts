import { planApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

/** All plans, for admins. */
export const plansQuery = queryOptions({
  queryKey: ['plan', 'all'],
  queryFn: ({ signal }) => call(planApi.list, {}, { signal }),
  staleTime: 0,
});
