import { parseTag, type Usage, usageApi } from '@headgate/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../lib/api/call.ts';
import { browserTimeZone } from '../../lib/format/browser-time-zone.ts';
import { resolveRange } from '../../lib/format/usage-time.ts';
import type { UsageState } from './usage-state.ts';

/** Usage of all users for admins, own usage for others. */
export const usageQuery = (state: UsageState, isAdmin: boolean) =>
  queryOptions({
    queryKey: ['usage', isAdmin, { ...state, chart: undefined }],
    queryFn: ({ signal }): Promise<Usage> => {
      const { start, end } = resolveRange(state.range, new Date());
      const { channel, username, tag, ...filters } = state.filters;
      const requested = {
        columns: state.columns,
        top: state.top,
        measure: state.measure,
        order: state.order,
        zone: browserTimeZone(),
        start_timestamp: start,
        end_timestamp: end ?? 0,
        ...filters,
        ...tagQuery(state.tagKey, tag),
      };
      return isAdmin
        ? call(usageApi.read, { query: { ...requested, rows: state.rows, username, channel } }, { signal })
        : // Non-admins have no other dimensions; the server would reject them.
          call(usageApi.readOwn, { query: { ...requested, rows: state.rows } as never }, { signal });
    },
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });

/** The server supports one tag key per report. */
function tagQuery(tagKey: string, filter: string | undefined) {
  const [key, value] = parseTag(filter ?? '') ?? [];
  if (key !== undefined && (tagKey === '' || key === tagKey)) return { tag: key, tag_value: value };
  return tagKey === '' ? {} : { tag: tagKey };
}

export const tagKeysQuery = (isSupported: boolean) =>
  queryOptions({
    queryKey: ['tag-keys'],
    queryFn: async ({ signal }) => (await call(usageApi.tags, {}, { signal })).keys,
    enabled: isSupported,
    meta: { quiet: true },
  });
