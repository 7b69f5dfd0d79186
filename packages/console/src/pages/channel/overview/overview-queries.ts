import { channelOverviewApi } from '@headgate/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../../lib/api/call.ts';
import { channelList } from '../channel-queries.ts';

const refreshMs = 60_000;

/** The last 24 hours of a channel, refreshed every minute. */
export const overviewQuery = (id: number) =>
  queryOptions({
    queryKey: [channelList, 'overview', id],
    queryFn: ({ signal }) => call(channelOverviewApi.overview, { params: { id } }, { signal }),
    refetchInterval: refreshMs,
    meta: { quiet: true },
  });

/** Traffic of the channels of a page by id. Not essential, so errors are not shown. */
export const trafficQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ['channel-traffic', ...ids],
    queryFn: async ({ signal }) => {
      const rows = await call(channelOverviewApi.traffic, { query: { ids: ids.join(',') } }, { signal });
      return new Map(rows.map((row) => [row.id, row]));
    },
    enabled: ids.length > 0,
    staleTime: refreshMs / 2,
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true },
  });
