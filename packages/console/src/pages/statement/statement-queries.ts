import { statementApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';
import type { Month } from '../../ui/statement/statement-month.ts';

/** Statement of a user; of the caller if undefined. */
export const statementQuery = (user: number | undefined, { from, to }: Month) =>
  queryOptions({
    queryKey: ['statement', user, from],
    queryFn: ({ signal }) => {
      const query = { start_timestamp: from, end_timestamp: to };
      return user === undefined
        ? call(statementApi.own, { query }, { signal })
        : call(statementApi.read, { params: { id: user }, query }, { signal });
    },
    staleTime: 0,
  });
