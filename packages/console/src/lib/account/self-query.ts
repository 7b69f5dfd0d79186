import { userApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';

/** The signed-in user as stored on the server, with quota and linked accounts. */
export const selfQuery = queryOptions({
  queryKey: ['user', 'self'],
  queryFn: ({ signal }) => call(userApi.self, {}, { signal }),
});
