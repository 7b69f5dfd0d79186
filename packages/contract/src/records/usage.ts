import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { queryInteger } from '../wire/list.ts';

/** By what usage can be told apart: by whom or what it was, or by when. */
export const usageSubjects = ['model', 'user', 'token', 'channel', 'group'] as const;
export const usageGrains = ['hour', 'day', 'week', 'month'] as const;
export type UsageSubject = (typeof usageSubjects)[number];
export type UsageGrain = (typeof usageGrains)[number];
export type UsageAxis = UsageSubject | UsageGrain;

export const isGrain = (axis: UsageAxis | ''): axis is UsageGrain => usageGrains.some((grain) => grain === axis);

/** What is added up. `requests` counts the failed ones too; `cost` is what the operator paid, 0 for everybody else. */
export const usageMeasures = [
  ...(['requests', 'failures', 'quota', 'prompt_tokens', 'completion_tokens', 'cached_tokens', 'cost'] as const),
];
export type UsageMeasure = (typeof usageMeasures)[number];

const measures = z.object({
  requests: z.int(),
  failures: z.int(),
  quota: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  cached_tokens: z.int(),
  cost: z.int(),
});
export type UsageSums = z.infer<typeof measures>;

/** A row or a column: whose usage it is, or of which time. */
const heading = z.object({
  /** What the logs are filtered by: a name, an id, or the date on which a time begins. Empty for all others. */
  key: z.string(),
  label: z.string(),
  /** All that is not among the named ones. */
  is_others: z._default(z.boolean(), false),
  /** The user of a token. */
  username: z._default(z.string(), ''),
  /** First and last second of a time; 0 where the heading is no time. */
  from: z._default(z.int(), 0),
  to: z._default(z.int(), 0),
  /** Of the whole row or column. */
  total: measures,
});
export type UsageHeading = z.infer<typeof heading>;

export const usage = z.object({
  /** The time that was added up, in whole hours: its first and last second. */
  from: z.int(),
  to: z.int(),
  /** When the logs begin: there is no data before. 0 when there is none at all. */
  first: z.int(),
  /** The zone is not whole hours from UTC: days begin up to half an hour off, because the sums are hourly. */
  is_rounded: z.boolean(),
  rows: z.array(heading),
  columns: z.array(heading),
  /** By row and column, in their order; a row without columns has one cell. */
  cells: z.array(z.array(measures)),
  total: measures,
});
export type Usage = z.infer<typeof usage>;

const seconds = z._default(queryInteger(0, Number.MAX_SAFE_INTEGER), 0);
const exact = z._default(z.string().check(z.trim(), z.maxLength(300)), '');

/** How many rows or columns are named at most; the rest is added up. */
export const mostNamed = 50;

const common = {
  measure: z._default(z.enum(usageMeasures), 'quota'),
  top: z._default(queryInteger(1, mostNamed), 10),
  /** An IANA name, such as Asia/Shanghai. */
  zone: z._default(z.string().check(z.maxLength(60)), 'UTC'),
  /** 0: from the first log on. Begins and ends with whole hours. */
  start_timestamp: seconds,
  /** 0: until now. */
  end_timestamp: seconds,
  token_name: exact,
  model_name: exact,
  group: exact,
} as const;

const allAxes = [...usageSubjects, ...usageGrains] as const;
const ownAxes = ['model', 'token', 'group', ...usageGrains] as const;

export const usageApi = {
  read: {
    method: 'GET',
    path: '/api/usage',
    access: 'admin',
    query: z.object({
      ...common,
      rows: z._default(z.enum(allAxes), 'model'),
      columns: z._default(z.enum([...allAxes, '']), ''),
      username: exact,
      user_id: seconds,
      channel: seconds,
    }),
    reply: usage,
  },
  readOwn: {
    method: 'GET',
    path: '/api/usage/self',
    access: 'user',
    query: z.object({
      ...common,
      rows: z._default(z.enum(ownAxes), 'model'),
      columns: z._default(z.enum([...ownAxes, '']), ''),
    }),
    reply: usage,
  },
} as const satisfies EndpointTable;
