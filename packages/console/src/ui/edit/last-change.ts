import { fillTemplate, isAdmin, logApi, logEvents } from '@headgate/contract';
import { queryOptions, skipToken } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { currentUser } from '../../lib/account/session.ts';
import { call } from '../../lib/api/call.ts';

export type LogFilters = Readonly<Record<string, string | number>>;

const changeDetail = z.object({
  event: z.enum(Object.keys(logEvents) as [keyof typeof logEvents]),
  values: z._default(z.record(z.string(), z.union([z.string(), z.number()])), {}),
});

/** Last change of a resource, from the log. Null if the log has none; only admins can read it. */
export function lastChangeQuery(filters: LogFilters | undefined) {
  const user = currentUser();
  const isReported = filters !== undefined && user !== undefined && isAdmin(user);
  return queryOptions({
    queryKey: ['last-change', filters],
    queryFn: isReported ? ({ signal }) => readLast(filters, signal) : skipToken,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    meta: { quiet: true },
  });
}

async function readLast(filters: LogFilters, signal: AbortSignal) {
  const [last] = await call(logApi.list, { query: { ...filters, size: 1 } }, { signal });
  if (!last) return null;
  const detail = changeDetail.safeParse(parsed(last.detail));
  const words = (label: (text: string) => string) =>
    detail.success ? fillTemplate(label(logEvents[detail.data.event]), detail.data.values) : last.content;
  return { time: last.created_at, words };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
