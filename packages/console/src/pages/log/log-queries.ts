import { type ExportFormat, type Log, logApi } from '@headgate/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, callFile, callList, type FileReply } from '../../lib/call.ts';
import { ownTimeZone } from '../../lib/exports.ts';
import type { ListPart } from '../../lib/list.ts';
import { allQuery, type LogFilters, ownQuery } from './log-filters.ts';

export const logList = 'log';

/** Whose logs: everybody's for admins, the own for the others. */
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
): Promise<ListPart<Log>> {
  const now = nowInSeconds();
  return isAdmin
    ? callList(logApi.list, { query: { p, size, ...allQuery(filters, now) } }, { signal })
    : callList(logApi.listOwn, { query: { p, size, ...ownQuery(filters, now) } }, { signal });
}

/** The file of all that the filters leave. */
export function askForLogs(
  { filters, isAdmin }: LogScope,
  format: ExportFormat,
  signal: AbortSignal,
): Promise<FileReply> {
  const now = nowInSeconds();
  const manner = { format, time_zone: ownTimeZone() };
  return isAdmin
    ? callFile(logApi.export, { query: { ...manner, ...allQuery(filters, now) } }, { signal })
    : callFile(logApi.exportOwn, { query: { ...manner, ...ownQuery(filters, now) } }, { signal });
}

export const statQuery = ({ filters, isAdmin }: LogScope) =>
  queryOptions({
    queryKey: [logList, 'stat', filters, isAdmin],
    queryFn: async ({ signal }) => {
      const now = nowInSeconds();
      const { quota } = isAdmin
        ? await call(logApi.stat, { query: allQuery(filters, now) }, { signal })
        : await call(logApi.statOwn, { query: ownQuery(filters, now) }, { signal });
      return quota;
    },
    staleTime: 0,
  });
