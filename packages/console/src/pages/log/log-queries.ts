import { type ExportFormat, type Log, logApi } from '@headgate/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call, callFile, callList, type FileResponse } from '../../lib/api/call.ts';
import { exportParameters } from '../../lib/api/export-call.ts';
import type { ListPage } from '../../lib/list/list.ts';
import { allLogsQuery, type LogFilters, ownLogsQuery } from './log-filters.ts';

export const logList = 'log';

/** All logs for admins, own logs for users. */
export interface LogScope {
  readonly filters: LogFilters;
  readonly isAdmin: boolean;
}

interface Page {
  readonly p: number;
  readonly size: number;
}

const nowInSeconds = () => Math.floor(Date.now() / 1000);

export function readLogs(
  { filters, isAdmin }: LogScope,
  { p, size }: Page,
  signal: AbortSignal,
): Promise<ListPage<Log>> {
  const now = nowInSeconds();
  const page = { p, size, ...(filters.before !== '' && { before: filters.before }) };
  return isAdmin
    ? callList(logApi.list, { query: { ...page, ...allLogsQuery(filters, now) } }, { signal })
    : callList(logApi.listOwn, { query: { ...page, ...ownLogsQuery(filters, now) } }, { signal });
}

/** Exports the filtered logs. */
export function exportLogs(
  { filters, isAdmin }: LogScope,
  format: ExportFormat,
  signal: AbortSignal,
): Promise<FileResponse> {
  const now = nowInSeconds();
  const parameters = exportParameters(format);
  return isAdmin
    ? callFile(logApi.export, { query: { ...parameters, ...allLogsQuery(filters, now) } }, { signal })
    : callFile(logApi.exportOwn, { query: { ...parameters, ...ownLogsQuery(filters, now) } }, { signal });
}

/** Logs newer than a cursor. */
export function readNewLogs(
  { filters, isAdmin }: LogScope,
  after: string,
  signal: AbortSignal,
): Promise<ListPage<Log>> {
  const page = { p: 0, size: 100, after };
  const now = nowInSeconds();
  return isAdmin
    ? callList(logApi.list, { query: { ...page, ...allLogsQuery(filters, now) } }, { signal })
    : callList(logApi.listOwn, { query: { ...page, ...ownLogsQuery(filters, now) } }, { signal });
}

/** Stale time of log counts. The server caches them for the same time. */
const countsMs = 30_000;

export const histogramQuery = ({ filters, isAdmin }: LogScope) =>
  queryOptions({
    queryKey: [logList, 'histogram', filters, isAdmin],
    queryFn: ({ signal }) =>
      isAdmin
        ? call(logApi.histogram, { query: allLogsQuery(filters, nowInSeconds()) }, { signal })
        : call(logApi.histogramOwn, { query: ownLogsQuery(filters, nowInSeconds()) }, { signal }),
    staleTime: countsMs,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });

export const facetsQuery = ({ filters, isAdmin }: LogScope) =>
  queryOptions({
    queryKey: [logList, 'facets', filters, isAdmin],
    queryFn: ({ signal }) =>
      isAdmin
        ? call(logApi.facets, { query: allLogsQuery(filters, nowInSeconds()) }, { signal })
        : call(logApi.facetsOwn, { query: ownLogsQuery(filters, nowInSeconds()) }, { signal }),
    staleTime: countsMs,
    placeholderData: keepPreviousData,
    meta: { quiet: true },
  });

/** A log by its cursor or request id. */
export const entryQuery = (key: string, isAdmin: boolean) =>
  queryOptions({
    queryKey: [logList, 'entry', key, isAdmin],
    queryFn: ({ signal }) =>
      isAdmin
        ? call(logApi.entry, { query: { key } }, { signal })
        : call(logApi.entryOwn, { query: { key } }, { signal }),
    retry: false,
    meta: { quiet: true },
  });

export const logTotalQuery = ({ filters, isAdmin }: LogScope) =>
  queryOptions({
    queryKey: [logList, 'stat', filters, isAdmin],
    queryFn: async ({ signal }) => {
      const now = nowInSeconds();
      const { quota } = isAdmin
        ? await call(logApi.stat, { query: allLogsQuery(filters, now) }, { signal })
        : await call(logApi.statOwn, { query: ownLogsQuery(filters, now) }, { signal });
      return quota;
    },
    staleTime: 0,
  });
