import {
  type LogReason,
  type LogSubject,
  type LogView,
  logType,
  logViews,
  parseLogSubject,
  parseTag,
  type SearchableField,
  searchableFieldsIn,
  successStatus,
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
  readonly status: number;
  readonly request_id: string;
}

/** A name shared by more users than this is not narrowed down to user ids. */
export const maxNameOwners = 50;

/** Key and value. */
export type LogTag = readonly [key: string, value: string];

/** Filter by exact column values and time. */
export interface LogFilter {
  readonly exact: Partial<Exact>;
  /** Case-insensitive substrings of columns. */
  readonly containing?: Readonly<Partial<Record<SearchableField, string>>>;
  /** Audit events of one object. */
  readonly about?: LogSubject | undefined;
  readonly within: Span;
  readonly view?: LogView | undefined;
  /** Part of the content, ignoring case. */
  readonly text?: string | undefined;
  /** Tags that the request must have. */
  readonly tags?: readonly LogTag[] | undefined;
  /** Part of the name of the channel, until it is narrowed to `channels`. */
  readonly channelName?: string | undefined;
  /** The only channels of the logs. */
  readonly channels?: readonly number[];
  /** The only users who can have matching logs, so that an index can be used. */
  readonly users?: readonly number[];
}

export interface LogQuery {
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
  readonly view?: LogView | '';
  readonly status?: number;
  readonly text?: string;
  readonly tag?: string;
  /** Tags required by the gateway in addition to the filter, such as the member of an organization. */
  readonly scope?: readonly LogTag[];
  readonly channel_name?: string;
  readonly start_timestamp: number;
  readonly end_timestamp: number;
}

/** Parses a query in which empty and 0 match anything. */
export function parseLogFilter({ start_timestamp, end_timestamp, ...query }: LogQuery): LogFilter {
  const { user_id, username, token_name, model_name, channel, group, reason, request_id, status = 0 } = query;
  const columns = {
    type: typeOf(query),
    user_id,
    username,
    token_name,
    model_name,
    channel,
    group,
    reason,
    request_id,
  };
  const given = Object.entries(columns).filter(([, value]) => value !== undefined && value !== '' && value !== 0);
  const searched: readonly string[] = searchableFieldsIn(query.contains ?? '');
  return {
    exact: {
      ...Object.fromEntries(given.filter(([name]) => !searched.includes(name))),
      ...(status !== 0 && { status: status === successStatus ? 0 : status }),
    },
    containing: Object.fromEntries(given.filter(([name]) => searched.includes(name))),
    about: parseLogSubject(query.about ?? ''),
    view: query.view || undefined,
    text: query.text || undefined,
    tags: tagsOf([parseTag(query.tag ?? ''), ...(query.scope ?? [])]),
    channelName: query.channel_name || undefined,
    within: { from: start_timestamp, to: end_timestamp === 0 ? Number.MAX_SAFE_INTEGER : end_timestamp },
  };
}

const tagsOf = (tags: readonly (LogTag | undefined)[]): readonly LogTag[] | undefined => {
  const given = tags.filter((tag) => tag !== undefined);
  return given.length > 0 ? given : undefined;
};

/** A reason or a status implies the type, unless a type is given. */
function typeOf({ type, reason, status = 0 }: Pick<LogQuery, 'type' | 'reason' | 'status'>): number {
  if (type !== logType.all) return type;
  if (status === successStatus) return logType.consumption;
  return reason || status !== 0 ? logType.failure : type;
}

/** Types of the filtered logs; undefined means any. */
export const typesOf = ({ exact, view }: LogFilter): readonly number[] | undefined =>
  exact.type !== undefined || view === undefined ? undefined : logViews[view];

const siteColumns: readonly string[] = ['type', 'model_name', 'channel', 'group', 'reason', 'status'];

/** Smallest rollup that has all columns of the filter; undefined if only the logs have them. */
export function rollupFor(filter: LogFilter): 'site_hours' | 'usage_hours' | undefined {
  const { exact, containing = {}, about, text, tags, view } = filter;
  // The request ids of audit events, which rollups do not have, separate bulk changes from their parts.
  if (
    view === 'audit' ||
    exact.request_id !== undefined ||
    tags !== undefined ||
    about !== undefined ||
    text !== undefined
  )
    return undefined;
  const columns = [...Object.keys(exact), ...Object.keys(containing)];
  if (columns.every((column) => siteColumns.includes(column))) return 'site_hours';
  return exact.reason === undefined && exact.status === undefined ? 'usage_hours' : undefined;
}
