import { channelApi, tokenApi, userApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { callList } from '../../lib/api/call.ts';

const first = { p: 0, order: '' } as const;

/** Uses the same searches as the lists. A failed search leaves its group empty. */
export const searchQueries = (keyword: string) =>
  ({
    channels: queryOptions({
      queryKey: ['palette', 'channel', keyword],
      queryFn: ({ signal }) => callList(channelApi.search, { query: { ...first, keyword } }, { signal }),
      meta: { quiet: true },
    }),
    users: queryOptions({
      queryKey: ['palette', 'user', keyword],
      queryFn: ({ signal }) => callList(userApi.search, { query: { ...first, keyword } }, { signal }),
      meta: { quiet: true },
    }),
    tokens: queryOptions({
      queryKey: ['palette', 'token', keyword],
      queryFn: ({ signal }) => callList(tokenApi.search, { query: { ...first, keyword } }, { signal }),
      meta: { quiet: true },
    }),
  }) as const;
