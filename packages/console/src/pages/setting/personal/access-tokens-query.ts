import { accessTokenApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/call.ts';

export const accessTokensQuery = queryOptions({
  queryKey: ['user', 'access-token'],
  queryFn: ({ signal }) => call(accessTokenApi.list, {}, { signal }),
  // Our extension; other servers may not have it.
  meta: { quiet: true },
});
