import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { queryInteger } from '../wire/list.ts';
import { costExport } from './cost-export.ts';
import { usageComparison } from './usage-comparison.ts';

/** Groupings of usage: by subject or by time. */
export const usageSubjects = ['model', 'user', 'token', 'channel', 'group', 'tag'] as const;
export const usagePeriods = ['hour', 'day', 'week', 'month'] as const;
export type UsageSubject = (typeof usageSubjects)[number];
export type UsagePeriod = (typeof usagePeriods)[number];
export type UsageAxis = UsageSubject | UsagePeriod;

export const isUsagePeriod = (axis: UsageAxis | ''): axis is UsagePeriod =>
  usagePeriods.some((grain) => grain === axis);

/**
 * Measures of usage. `requests` includes failures. `cost` is the operator's cost; `uncosted_quota` is the part of
 * `quota` with unknown cost. Both are 0 for callers who are not admins.
 */
export const usageMeasures = [
  'requests',
  'failures',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'cached_tokens',
  'cost',
  'uncosted_quota',
] as const;
export type UsageMeasure = (typeof usageMeasures)[number];

/** Measures by which rows are ranked. */
export const usageRankings = [...usageMeasures, 'margin'] as const;
export type UsageRanking = (typeof usageRankings)[number];

/** Charged quota minus cost, excluding requests with unknown cost. */
export const usageMargin = ({ quota, uncosted_quota, cost }: Pick<UsageTotals, 'quota' | 'uncosted_quota' | 'cost'>) =>
  quota - uncosted_quota - cost;

const measures = z.object({
  requests: z.int(),
  failures: z.int(),
  quota: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  cached_tokens: z.int(),
  cost: z.int(),
  uncosted_quota: z._default(z.int(), 0),
});
export type UsageTotals = z.infer<typeof measures>;

/** A row or a column: a subject or a period. */
const heading = z.object({
  /** Value for log filters: a name, an id, or the start date of a period. Empty for "others". */
  key: z.string(),
  label: z.string(),
  /** True for the sum of all subjects that are not listed. */
  is_others: z._default(z.boolean(), false),
  /** Owner of a token. */
  username: z._default(z.string(), ''),
  /** First and last second of a period; 0 if the heading is not a period. */
  from: z._default(z.int(), 0),
  to: z._default(z.int(), 0),
  /** Totals of the row or column. */
  total: measures,
});
export type UsageHeading = z.infer<typeof heading>;

export const usage = z.object({
  /** First and last second of the period, in whole hours. */
  from: z.int(),
  to: z.int(),
  /** Time of the first log; 0: there are none. */
  first: z.int(),
  /**
   * True if the time zone is not a whole number of hours from UTC. Rollups are hourly, so days then start up to half an
   * hour off.
   */
  is_rounded: z.boolean(),
  rows: z.array(heading),
  columns: z.array(heading),
  /** Cells by row and column; one cell per row without columns. */
  cells: z.array(z.array(measures)),
  total: measures,
});
export type Usage = z.infer<typeof usage>;

const seconds = z._default(queryInteger(0, Number.MAX_SAFE_INTEGER), 0);
const exact = z._default(z.string().check(z.trim(), z.maxLength(300)), '');

/** Maximum number of named rows or columns; the rest is summed up as "others". */
export const maxNamedHeadings = 50;

const common = {
  measure: z._default(z.enum(usageRankings), 'quota'),
  /** Order of the rows by the measure. `asc` with `margin`: loss-makers first. */
  order: z._default(z.enum(['desc', 'asc']), 'desc'),
  top: z._default(queryInteger(1, maxNamedHeadings), 10),
  /** An IANA name, such as Asia/Shanghai. */
  zone: z._default(z.string().check(z.maxLength(60)), 'UTC'),
  /** 0: since the first log. Rounded to whole hours. */
  start_timestamp: seconds,
  /** 0: until now. */
  end_timestamp: seconds,
  token_name: exact,
  model_name: exact,
  group: exact,
  /** Tag key to which `tag` rows or columns and `tag_value` refer. */
  tag: exact,
  tag_value: exact,
} as const;

const allAxes = [...usageSubjects, ...usagePeriods] as const;
const ownAxes = ['model', 'token', 'group', 'tag', ...usagePeriods] as const;

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
  compare: usageComparison,
  exportCosts: costExport,
  tags: {
    method: 'GET',
    path: '/api/usage/tags',
    access: 'user',
    /** Allowed keys of request tags; empty: tags are off. */
    reply: z.object({ keys: z.array(z.string()) }),
  },
} as const satisfies EndpointTable;
