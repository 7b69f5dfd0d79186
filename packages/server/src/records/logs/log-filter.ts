import {
  type LogReason,
  type LogSubject,
  logType,
  parseLogSubject,
  type SearchableField,
  searchableFieldsIn,
} from '@headgate/contract';
import type { Span } from './time-span.ts';

interface Exact {
  readonly type: number;
  readonly user_id: number;
  readonly username: string;
  readonly token_name: string;
  readonly model_name: string;
  readonly channel: number;
  readonly group: string;
  readonly reason: LogReason | '';
  readonly request_id: string;
}

/** A name shared by more users than this is not narrowed down to user ids. */
export const maxNarrowedOwners = 50;

/** Filter by exact column values and time. */
export interface LogFilter {
  readonly exact: Partial<Exact>;
  /** Case-insensitive substrings of columns. */
  readonly containing?: Readonly<Partial<Record<SearchableField, string>>>;
  /** Audit events of one object. */
  readonly about?: LogSubject | undefined;
  readonly within: Span;
  /** The only users who can have matching logs, so that an index can be used. */
  readonly users?: readonly number[];
}

interface LogQuery {
  readonly type: number;
  readonly user_id?: number;
  readonly username?: string;
  readonly token_name: string;
  readonly model_name: string;
  readonly channel?: number;
  readonly group?: string;
  readonly reason?: LogReason | '';
  readonly request_id?: string;
  readonly contains?: string;
  readonly about?: string;
  readonly start_timestamp: number;
  readonly end_timestamp: number;
}

/** Parses a query in which empty and 0 match anything. */
export function parseLogFilter({ start_timestamp, end_timestamp, ...query }: LogQuery): LogFilter {
  const { user_id, username, token_name, model_name, channel, group, reason, request_id } = query;
  // A reason implies failures, unless a type is given.
  const type = reason && query.type === logType.all ? logType.failure : query.type;
  const columns = { type, user_id, username, token_name, model_name, channel, group, reason, request_id };
  const given = Object.entries(columns).filter(([, value]) => value !== undefined && value !== '' && value !== 0);
  const searched: readonly string[] = searchableFieldsIn(query.contains ?? '');
  return {
    exact: Object.fromEntries(given.filter(([name]) => !searched.includes(name))),
    containing: Object.fromEntries(given.filter(([name]) => searched.includes(name))),
    about: parseLogSubject(query.about ?? ''),
    within: { from: start_timestamp, to: end_timestamp === 0 ? Number.MAX_SAFE_INTEGER : end_timestamp },
  };
}

const siteColumns: readonly string[] = ['type', 'model_name', 'channel', 'group'];

/** Smallest rollup that has all columns of the filter; undefined if only the logs have them. */
export function rollupFor({ exact, containing = {}, about }: LogFilter): 'site_hours' | 'usage_hours' | undefined {
  if (exact.request_id !== undefined || exact.reason !== undefined || about !== undefined) return undefined;
  const columns = [...Object.keys(exact), ...Object.keys(containing)];
  return columns.every((column) => siteColumns.includes(column)) ? 'site_hours' : 'usage_hours';
}
