import { logApi } from '@headgate/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

export const failuresQuery = (start: number) =>
  queryOptions({
    queryKey: ['failures', start],
    queryFn: ({ signal }) => call(logApi.failures, { query: { start_timestamp: start } }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
