import { dashboardApi, priceApi, type UsageAxis, usageApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';
import { browserTimeZone } from '../../lib/format/browser-time-zone.ts';
import { resolveRange } from '../../lib/format/usage-time.ts';

const refreshMs = 60_000;
/** Polling interval while waiting for the first request. */
const firstRequestPollMs = 3000;
const named = 5;

export const homeQuery = (range: string) =>
  queryOptions({
    queryKey: ['home', range],
    queryFn: ({ signal }) =>
      call(dashboardApi.read, { query: { start_timestamp: resolveRange(range, new Date()).start } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.steps.request === false ? firstRequestPollMs : refreshMs),
    meta: { quiet: true },
  });

export const userHomeQuery = queryOptions({
  queryKey: ['home', 'own'],
  queryFn: ({ signal }) => call(dashboardApi.readOwn, {}, { signal }),
  refetchInterval: ({ state }) => (state.data?.steps.request === false ? firstRequestPollMs : refreshMs),
  meta: { quiet: true },
});

/** Offered models without a price. */
export const unpricedQuery = queryOptions({
  queryKey: ['home', 'unpriced'],
  queryFn: ({ signal }) => call(priceApi.unpriced, { query: {} }, { signal }),
  refetchInterval: refreshMs,
  meta: { quiet: true },
});

/** Top users, models or channels in a range. */
export const topQuery = (rows: Extract<UsageAxis, 'model' | 'user' | 'channel'>, range: string) =>
  queryOptions({
    queryKey: ['home', 'largest', rows, range],
    queryFn: ({ signal }) => {
      const { start } = resolveRange(range, new Date());
      return call(usageApi.read, { query: { rows, columns: '', top: named, start_timestamp: start } }, { signal });
    },
    refetchInterval: refreshMs,
    meta: { quiet: true },
  });

/** Start and end of the period before a range, in seconds. */
function previousPeriod(range: string) {
  const { start } = resolveRange(range, new Date());
  const first = new Date(start * 1000);
  first.setDate(first.getDate() - (daysIn[range] ?? 1));
  return { start_timestamp: first.getTime() / 1000, end_timestamp: start - 1 };
}

const daysIn: Readonly<Record<string, number>> = { '24h': 1, '7d': 7, '30d': 30 };

/** Usage over time: hourly for a day, daily for longer ranges. */
export const timelineQuery = (range: string, isPrevious = false) =>
  queryOptions({
    queryKey: ['home', isPrevious ? 'timeline-before' : 'timeline', range],
    queryFn: ({ signal }) => {
      const query = {
        rows: axisForRange(range),
        zone: browserTimeZone(),
        ...(isPrevious ? previousPeriod(range) : { start_timestamp: resolveRange(range, new Date()).start }),
      };
      return call(usageApi.read, { query: { ...query, columns: '' } }, { signal });
    },
    refetchInterval: refreshMs,
    meta: { quiet: true },
  });

export const axisForRange = (range: string): Extract<UsageAxis, 'hour' | 'day'> => (range === '24h' ? 'hour' : 'day');

export const ownModelsQuery = (range: 'today' | 'month') =>
  queryOptions({
    queryKey: ['home', 'own-models', range],
    queryFn: ({ signal }) => {
      const { start } = resolveRange(range, new Date());
      const query = {
        rows: 'model',
        columns: '',
        top: named,
        zone: browserTimeZone(),
        start_timestamp: start,
      } as const;
      return call(usageApi.readOwn, { query }, { signal });
    },
    refetchInterval: refreshMs,
    meta: { quiet: true },
  });
