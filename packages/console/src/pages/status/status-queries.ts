import { publicStatusApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

const refreshMs = 60_000;

export const publicStatusQuery = queryOptions({
  queryKey: ['public-status'],
  queryFn: ({ signal }) => call(publicStatusApi.read, {}, { signal }),
  refetchInterval: refreshMs,
  meta: { quiet: true },
});
