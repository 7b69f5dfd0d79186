import { nodeApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';

const pollMs = 5000;

export const nodesQuery = queryOptions({
  queryKey: ['nodes'],
  queryFn: ({ signal }) => call(nodeApi.list, {}, { signal }),
  refetchInterval: pollMs,
  staleTime: 0,
});
