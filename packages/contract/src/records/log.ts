import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { keyword, pageQuery, splitCommas } from '../wire/list.ts';
import { exportSettings } from './export.ts';
import { logFacets, logHistogram } from './log-overview.ts';
import { logSubject } from './log-subject.ts';
import { tagFilter } from './tags.ts';

/** A request that cost points is consumption, even if it failed. A failed request without cost is a failure. */
export const logType = { all: 0, topUp: 1, consumption: 2, management: 3, system: 4, failure: 5 } as const;

export const logTypes: Readonly<Record<number, { readonly label: string; readonly color: string }>> = {
  [logType.topUp]: { label: 'Top-up', color: 'green' },
  [logType.consumption]: { label: 'Consumption', color: 'lime' },
  [logType.management]: { label: 'Management', color: 'orange' },
  [logType.system]: { label: 'System', color: 'grape' },
  [logType.failure]: { label: 'Failed request', color: 'red' },
};

/**
 * Causes of an early end; points charged until then are still consumption. `quota`: the quota ran out; `server`: an
 * internal error or a shutdown.
 */
export const logEndCauses = {
  client: { label: 'Client disconnected' },
  upstream: { label: 'Upstream disconnected' },
  quota: { label: 'Quota used up' },
  budget: { label: 'Budget used up' },
  server: { label: 'Ended by the gateway' },
} as const;
export type LogEndCause = keyof typeof logEndCauses;

/** Failure reasons, a fixed set so that failures can be counted. */
export const logReasons = {
  key_rejected: { label: 'Key rejected' },
  no_balance: { label: 'No upstream balance' },
  rate_limited: { label: 'Rate limited' },
  overloaded: { label: 'Overloaded' },
  timeout: { label: 'Timeout' },
  unreachable: { label: 'Unreachable' },
  bad_answer: { label: 'Invalid response' },
  refused_request: { label: 'Request rejected' },
  filtered: { label: 'Content filtered' },
  no_channel: { label: 'No channel' },
  no_quota: { label: 'No quota' },
  model_not_allowed: { label: 'Model not allowed' },
  token_refused: { label: 'Token rejected' },
  too_many: { label: 'Too many requests' },
  not_found: { label: 'Not found' },
  server_error: { label: 'Server error' },
  other: { label: 'Other' },
} as const;
export type LogReason = keyof typeof logReasons;

/** Failure reasons that indicate an outage, as opposed to errors of the client or the request. */
export const outageReasons = [
  ...(['key_rejected', 'no_balance', 'rate_limited', 'overloaded', 'timeout', 'unreachable'] as const),
  ...(['bad_answer', 'no_channel', 'not_found', 'server_error', 'other'] as const),
] as const satisfies readonly LogReason[];

/** Tabs of the log with their log types. A bulk change is listed as one audit event. */
export const logViews = {
  requests: [logType.consumption, logType.failure],
  audit: [logType.management],
  system: [logType.topUp, logType.system],
} as const;
export type LogView = keyof typeof logViews;

/** Filter value for successful requests, regardless of the upstream's status. */
export const successStatus = 200;

/** A reason; empty: nothing failed. */
export const logReason = z._default(z.union([z.enum(Object.keys(logReasons) as LogReason[]), z.literal('')]), '');

/** A reason as returned. Unknown reasons from later versions become `other`. */
export const logReasonOrOther = z.catch(logReason, 'other');

export const log = z.object({
  id: z.int(),
  user_id: z.int(),
  created_at: z.int(),
  type: z.int(),
  content: z.string(),
  username: z.string(),
  token_name: z.string(),
  model_name: z.string(),
  quota: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  channel: z.int(),
  request_id: z._default(z.string(), ''),
  /** Milliseconds. */
  elapsed_time: z._default(z.int(), 0),
  is_stream: z._default(z.boolean(), false),
  system_prompt_reset: z._default(z.boolean(), false),
  /** Cause of an early end; empty: the request completed, or the log is not about a request. */
  ended_by: z._default(z.union([z.enum(Object.keys(logEndCauses) as LogEndCause[]), z.literal('')]), ''),
  /** Cost breakdown and attempts as JSON text; empty: none. */
  detail: z._default(z.string(), ''),
  /** Group whose ratio was charged; empty: not a request, or an old log. */
  group: z._default(z.string(), ''),
  /** Milliseconds until a streamed response started; 0: not streamed, or no response. */
  first_byte_time: z._default(z.int(), 0),
  /** HTTP status of a failure; 0: none. */
  status: z._default(z.int(), 0),
  /** Reason why the request failed; empty if it did not fail. */
  reason: logReason,
  /** Prompt tokens served from the upstream's cache. */
  cached_tokens: z._default(z.int(), 0),
  /** Prompt tokens written to the upstream's cache. */
  cache_write_tokens: z._default(z.int(), 0),
  /** Completion tokens used for reasoning. */
  reasoning_tokens: z._default(z.int(), 0),
  /** The operator's cost, in points. */
  cost: z._default(z.int(), 0),
  /** Node that served the request; empty with a single node. */
  node: z._default(z.string(), ''),
  /** Current name of the channel in lists for admins; empty if it was deleted. */
  channel_name: z._default(z.string(), ''),
});
export type Log = z.infer<typeof log>;

/** Maximum count in a log list. */
export const maxCountedLogs = 10_000;

const seconds = z._default(z.pipe(z.coerce.number<number | string>(), z.int().check(z.minimum(0))), 0);
const exact = z._default(z.string().check(z.trim(), z.maxLength(300)), '');

/** Log fields that support partial matches. */
export const searchableFields = ['token_name', 'model_name', 'username'] as const;
export type SearchableField = (typeof searchableFields)[number];

const isSearchable = (name: string): name is SearchableField => (searchableFields as readonly string[]).includes(name);

/** Searchable fields in a comma-separated list of names. */
export const searchableFieldsIn = (names: string): SearchableField[] => splitCommas(names).filter(isSearchable);

/**
 * Filters match exactly unless listed in `contains`; empty or 0 means any. All filters must match. Time bounds are
 * inclusive.
 */
export const ownLogFilters = {
  type: z._default(
    z.pipe(z.coerce.number<number | string>(), z.int().check(z.minimum(0), z.maximum(100))),
    logType.all,
  ),
  token_name: exact,
  model_name: exact,
  /** Comma-separated filters that match part of the value, ignoring case. */
  contains: z._default(z.string().check(z.maxLength(100)), ''),
  request_id: exact,
  reason: logReason,
  /** Empty: the whole log. */
  view: z._default(z.union([z.enum(Object.keys(logViews) as LogView[]), z.literal('')]), ''),
  /** HTTP status of a failure, or `successStatus`. */
  status: z._default(z.pipe(z.coerce.number<number | string>(), z.int().check(z.minimum(0), z.maximum(999))), 0),
  /** Part of the content, ignoring case. Searched in the newest matching logs only. */
  text: exact,
  tag: tagFilter,
  start_timestamp: seconds,
  end_timestamp: seconds,
} as const;

const allFilters = {
  ...ownLogFilters,
  username: exact,
  channel: z._default(z.pipe(z.coerce.number<number | string>(), z.int().check(z.minimum(0))), 0),
  /** Part of the current channel name, ignoring case. */
  channel_name: exact,
  user_id: z._default(z.pipe(z.coerce.number<number | string>(), z.int().check(z.minimum(0))), 0),
  group: exact,
  about: logSubject,
} as const;

/** Cursor of a log, `created_at-id`: only the logs after it are listed. Empty: from the start. */
const logCursor = z._default(z.string().check(z.regex(/^(\d{1,15}-\d{1,15})?$/)), '');

/** List cursors: only logs before `before`, and only logs after `after`, by time. */
export const logCursors = { before: logCursor, after: logCursor } as const;

export const logCursorOf = ({ created_at, id }: Pick<Log, 'created_at' | 'id'>): string => `${created_at}-${id}`;

/** Failed requests by channel and reason. */
export const failureCount = z.object({
  /** 0: rejected before routing. */
  channel: z.int(),
  /** Empty if the channel was deleted. */
  channel_name: z.string(),
  reason: logReasonOrOther,
  /** One of the returned HTTP statuses. */
  status: z.int(),
  rows: z.int(),
  /** First second of the last hour with this kind of failure. */
  last_hour: z.int(),
});
export type FailureCount = z.infer<typeof failureCount>;

const sum = z.object({ quota: z.int() });

/** A cursor, or a request id. */
const entryKey = z.object({ key: z.string().check(z.trim(), z.minLength(1), z.maxLength(300)) });

/** A suggested filter value. */
const suggestion = z.object({
  value: z.string(),
  /** Name for a value that is an id; empty if the value is the name. */
  name: z.string(),
});
export type LogSuggestion = z.infer<typeof suggestion>;

export const logApi = {
  list: {
    method: 'GET',
    path: '/api/log/',
    access: 'admin',
    query: z.extend(pageQuery, { ...allFilters, ...logCursors }),
    list: true,
    reply: z.array(log),
  },
  listOwn: {
    method: 'GET',
    path: '/api/log/self/',
    access: 'user',
    query: z.extend(pageQuery, { ...ownLogFilters, ...logCursors }),
    list: true,
    reply: z.array(log),
  },
  export: {
    method: 'GET',
    path: '/api/log/export',
    access: 'admin',
    query: z.object({ ...exportSettings, ...allFilters }),
    file: true,
    reply: log,
  },
  exportOwn: {
    method: 'GET',
    path: '/api/log/self/export',
    access: 'user',
    query: z.object({ ...exportSettings, ...ownLogFilters }),
    file: true,
    reply: log,
  },
  stat: {
    method: 'GET',
    path: '/api/log/stat',
    access: 'admin',
    query: z.object(allFilters),
    reply: sum,
  },
  statOwn: {
    method: 'GET',
    path: '/api/log/self/stat',
    access: 'user',
    query: z.object(ownLogFilters),
    reply: sum,
  },
  histogram: {
    method: 'GET',
    path: '/api/log/histogram',
    access: 'admin',
    query: z.object(allFilters),
    reply: logHistogram,
  },
  histogramOwn: {
    method: 'GET',
    path: '/api/log/self/histogram',
    access: 'user',
    query: z.object(ownLogFilters),
    reply: logHistogram,
  },
  facets: {
    method: 'GET',
    path: '/api/log/facets',
    access: 'admin',
    query: z.object(allFilters),
    reply: logFacets,
  },
  facetsOwn: {
    method: 'GET',
    path: '/api/log/self/facets',
    access: 'user',
    query: z.object(ownLogFilters),
    reply: logFacets,
  },
  entry: {
    method: 'GET',
    path: '/api/log/entry',
    access: 'admin',
    query: entryKey,
    reply: log,
  },
  entryOwn: {
    method: 'GET',
    path: '/api/log/self/entry',
    access: 'user',
    query: entryKey,
    reply: log,
  },
  search: {
    method: 'GET',
    path: '/api/log/search',
    access: 'admin',
    query: z.object({ keyword }),
    reply: z.array(log),
  },
  searchOwn: {
    method: 'GET',
    path: '/api/log/self/search',
    access: 'user',
    query: z.object({ keyword }),
    reply: z.array(log),
  },
  suggest: {
    method: 'GET',
    path: '/api/log/suggest',
    access: 'admin',
    query: z.object({ field: z.enum(['username', 'token_name', 'model_name', 'channel']), keyword }),
    reply: z.array(suggestion),
  },
  suggestOwn: {
    method: 'GET',
    path: '/api/log/self/suggest',
    access: 'user',
    query: z.object({ field: z.enum(['token_name', 'model_name']), keyword }),
    reply: z.array(suggestion),
  },
  failures: {
    method: 'GET',
    path: '/api/log/failures',
    access: 'admin',
    query: z.object({ channel: allFilters.channel, start_timestamp: seconds, end_timestamp: seconds }),
    reply: z.array(failureCount),
  },
  clean: {
    method: 'DELETE',
    path: '/api/log/',
    access: 'admin',
    query: z.object({ target_timestamp: seconds }),
    reply: z.int(),
  },
} as const satisfies EndpointTable;
