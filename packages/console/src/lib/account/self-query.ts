import { userApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';

/** The signed-in user as the server knows him now, with quota and bound accounts. */
export const selfQuery = queryOptions({
  queryKey: ['user', 'self'],
  queryFn: ({ signal }) => call(userApi.self, {}, { signal }),
});
