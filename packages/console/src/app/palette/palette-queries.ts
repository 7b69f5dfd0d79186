import { channelApi, logApi, tokenApi, userApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, callList } from '../../lib/api/call.ts';

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

/** Ids of requests are UUIDs, but clients may show them in other ways. */
export const mayBeRequestId = (keyword: string): boolean => /^(?=.*\d)[\w-]{16,100}$/.test(keyword);

/** The log of a request; an unknown id is an error. */
export const requestQuery = (key: string, isAdmin: boolean) =>
  queryOptions({
    queryKey: ['palette', 'request', key, isAdmin],
    queryFn: ({ signal }) =>
      isAdmin
        ? call(logApi.entry, { query: { key } }, { signal })
        : call(logApi.entryOwn, { query: { key } }, { signal }),
    retry: false,
    meta: { quiet: true },
  });
