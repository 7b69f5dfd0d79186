import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { keyword, pageQuery, splitCommas } from '../wire/list.ts';
import { exportManner } from './export.ts';
import { logSubject } from './log-subject.ts';

/** A request that cost points is consumption, however it ended; one that failed and cost nothing is a failure. */
export const logType = { all: 0, topUp: 1, consumption: 2, management: 3, system: 4, failure: 5 } as const;

export const logTypes: Readonly<Record<number, { readonly label: string; readonly color: string }>> = {
  [logType.topUp]: { label: 'Top-up', color: 'green' },
  [logType.consumption]: { label: 'Consumption', color: 'lime' },
  [logType.management]: { label: 'Management', color: 'orange' },
  [logType.system]: { label: 'System', color: 'grape' },
  [logType.failure]: { label: 'Failed request', color: 'red' },
};

/**
 * Who can end a request before its end; what was charged for it until then is consumption all the same. `quota`: the
 * money ran out; `server`: a fault or a shutdown of our own.
 */
export const logEnders = {
  client: { label: 'Client disconnected' },
  upstream: { label: 'Upstream disconnected' },
  quota: { label: 'Quota used up' },
  budget: { label: 'Budget used up' },
  server: { label: 'Ended by the gateway' },
} as const;
export type LogEnder = keyof typeof logEnders;

/** Why a request failed, in one of few words by which failures can be counted. */
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

/** A reason, or empty where nothing failed. */
export const logReason = z._default(z.union([z.enum(Object.keys(logReasons) as LogReason[]), z.literal('')]), '');

/** A reason that is told: one that only a later version has a word for, which may have written the row, is another one. */
export const toldReason = z.catch(logReason, 'other');

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
  /** Who ended a request before its end; empty when it came to it, or when the row is about no request. */
  ended_by: z._default(z.union([z.enum(Object.keys(logEnders) as LogEnder[]), z.literal('')]), ''),
  /** The arithmetic of the charge and the attempts made, as JSON text; empty when there is none. */
  detail: z._default(z.string(), ''),
  /** The group by which a request was charged; empty when the row is about no request, or older than this field. */
  group: z._default(z.string(), ''),
  /** Milliseconds until a streamed answer began; 0 when it came in one piece, or not at all. */
  first_byte_time: z._default(z.int(), 0),
  /** HTTP status of a failure; 0 where there is none. */
  status: z._default(z.int(), 0),
  /** Why a request failed; empty when it did not. */
  reason: logReason,
  /** Of the prompt tokens, those that the upstream had read before. */
  cached_tokens: z._default(z.int(), 0),
  /** Of the prompt tokens, those that the upstream kept for later. */
  cache_write_tokens: z._default(z.int(), 0),
  /** Of the completion tokens, those that the model thought with. */
  reasoning_tokens: z._default(z.int(), 0),
  /** What the request cost the operator, in points. */
  cost: z._default(z.int(), 0),
  /** The node that served the request; empty where there is only one. */
  node: z._default(z.string(), ''),
});
export type Log = z.infer<typeof log>;

/** Logs of a list are counted up to this number. */
export const mostCountedLogs = 10_000;

const seconds = z._default(z.pipe(z.coerce.number<number | string>(), z.int().check(z.minimum(0))), 0);
const exact = z._default(z.string().check(z.trim(), z.maxLength(300)), '');

/** The texts of a log by a part of which it can be found. */
export const searchedTexts = ['token_name', 'model_name', 'username'] as const;
export type SearchedText = (typeof searchedTexts)[number];

const isSearched = (name: string): name is SearchedText => (searchedTexts as readonly string[]).includes(name);

/** Those of the names, separated by commas, that are such texts. */
export const searchedTextsIn = (names: string): SearchedText[] => splitCommas(names).filter(isSearched);

/** Equality unless told otherwise; empty or 0 means any, and all must hold. Time bounds are inclusive. */
const ownFilters = {
  type: z._default(
    z.pipe(z.coerce.number<number | string>(), z.int().check(z.minimum(0), z.maximum(100))),
    logType.all,
  ),
  token_name: exact,
  model_name: exact,
  /** The filters, separated by commas, whose text need only be contained, whatever its case. */
  contains: z._default(z.string().check(z.maxLength(100)), ''),
  request_id: exact,
  reason: logReason,
  start_timestamp: seconds,
  end_timestamp: seconds,
} as const;

const allFilters = {
  ...ownFilters,
  username: exact,
  channel: z._default(z.pipe(z.coerce.number<number | string>(), z.int().check(z.minimum(0))), 0),
  user_id: z._default(z.pipe(z.coerce.number<number | string>(), z.int().check(z.minimum(0))), 0),
  group: exact,
  about: logSubject,
} as const;

/** The place of a log in the list, `created_at-id`: only the logs after it are listed. Empty for the whole list. */
const logCursor = z._default(z.string().check(z.regex(/^(\d{1,15}-\d{1,15})?$/)), '');

export const cursorOf = ({ created_at, id }: Pick<Log, 'created_at' | 'id'>): string => `${created_at}-${id}`;

/** Failed requests of one kind on one channel. */
export const failureCount = z.object({
  /** 0: refused before any channel was asked. */
  channel: z.int(),
  /** Empty when there is no such channel any more. */
  channel_name: z.string(),
  reason: toldReason,
  /** One of the statuses that were answered. */
  status: z.int(),
  rows: z.int(),
  /** The first second of the last hour in which it happened. */
  last_hour: z.int(),
});
export type FailureCount = z.infer<typeof failureCount>;

const sum = z.object({ quota: z.int() });

/** What could be meant by the beginning of a filter. */
const suggestion = z.object({
  value: z.string(),
  /** The name of what the value is the id of; empty when the value is the name. */
  name: z.string(),
});
export type LogSuggestion = z.infer<typeof suggestion>;

export const logApi = {
  list: {
    method: 'GET',
    path: '/api/log/',
    access: 'admin',
    summary: 'Logs of everybody, newest first',
    query: z.extend(pageQuery, { ...allFilters, before: logCursor }),
    list: true,
    reply: z.array(log),
  },
  listOwn: {
    method: 'GET',
    path: '/api/log/self/',
    access: 'user',
    summary: 'The own logs, newest first',
    query: z.extend(pageQuery, { ...ownFilters, before: logCursor }),
    list: true,
    reply: z.array(log),
  },
  export: {
    method: 'GET',
    path: '/api/log/export',
    access: 'admin',
    summary: 'Logs of everybody as a file, newest first',
    query: z.object({ ...exportManner, ...allFilters }),
    file: true,
    reply: log,
  },
  exportOwn: {
    method: 'GET',
    path: '/api/log/self/export',
    access: 'user',
    summary: 'The own logs as a file, newest first',
    query: z.object({ ...exportManner, ...ownFilters }),
    file: true,
    reply: log,
  },
  stat: {
    method: 'GET',
    path: '/api/log/stat',
    access: 'admin',
    summary: 'Quota consumed over the filters',
    query: z.object(allFilters),
    reply: sum,
  },
  statOwn: {
    method: 'GET',
    path: '/api/log/self/stat',
    access: 'user',
    summary: 'Own quota consumed over the filters',
    query: z.object(ownFilters),
    reply: sum,
  },
  search: {
    method: 'GET',
    path: '/api/log/search',
    access: 'admin',
    summary: 'The latest 100 logs of this type or whose content contains the keyword',
    query: z.object({ keyword }),
    reply: z.array(log),
  },
  searchOwn: {
    method: 'GET',
    path: '/api/log/self/search',
    access: 'user',
    summary: 'The latest 100 own logs of this type or whose content contains the keyword',
    query: z.object({ keyword }),
    reply: z.array(log),
  },
  suggest: {
    method: 'GET',
    path: '/api/log/suggest',
    access: 'admin',
    summary: 'A few names of users, tokens, models or channels that contain a text, for the filters of the logs',
    query: z.object({ field: z.enum(['username', 'token_name', 'model_name', 'channel']), keyword }),
    reply: z.array(suggestion),
  },
  suggestOwn: {
    method: 'GET',
    path: '/api/log/self/suggest',
    access: 'user',
    summary: 'A few names of own tokens or of models that the own requests asked for, for the filters of the own logs',
    query: z.object({ field: z.enum(['token_name', 'model_name']), keyword }),
    reply: z.array(suggestion),
  },
  failures: {
    method: 'GET',
    path: '/api/log/failures',
    access: 'admin',
    summary: 'Failed requests by channel and reason, in whole hours, the most frequent first',
    query: z.object({ channel: allFilters.channel, start_timestamp: seconds, end_timestamp: seconds }),
    reply: z.array(failureCount),
  },
  clean: {
    method: 'DELETE',
    path: '/api/log/',
    access: 'admin',
    summary: 'Delete the logs before a time; data is their number',
    query: z.object({ target_timestamp: seconds }),
    reply: z.int(),
  },
} as const satisfies EndpointTable;
