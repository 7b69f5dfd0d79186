import {
  isUsagePeriod,
  type UsageAxis,
  type UsagePeriod,
  type UsageRanking,
  type UsageSubject,
  type UsageTotals,
} from '@headgate/contract';
import { ApiError } from '../../platform/errors/api-error.ts';

export type Column = keyof UsageFilter;

type Values = Readonly<Partial<Record<Column, string | number>>>;

interface UsageOrder {
  readonly measure: UsageRanking;
  readonly order: 'desc' | 'asc';
  readonly count: number;
}

export interface SumsRequest {
  /** First and last second, in whole hours. */
  readonly from: number;
  readonly to: number;
  /** Grouping columns. */
  readonly by: readonly Column[];
  /** Time grouping: by hour, or by day with a UTC offset in seconds. */
  readonly time?: 'hour' | 'day' | undefined;
  readonly offset?: number;
  readonly filter: UsageFilter;
  /** Ids of the only users who can match the filter, if there are few of them. */
  readonly owners?: readonly number[] | undefined;
  /** Restricts the result to these values. */
  readonly among?: readonly Values[] | undefined;
  /** Includes rows without a model, channel or group. */
  readonly isWithUnnamed?: true;
  /** Limits the result to the largest values of this measure, or the smallest. */
  readonly largest?: UsageOrder | undefined;
}

export type AggregateRow = UsageTotals & Values & { readonly time: number };

/** Rollup columns that can be filtered. */
export interface UsageFilter {
  readonly model_name?: string;
  readonly user_id?: number;
  readonly username?: string;
  readonly token_name?: string;
  readonly channel?: number;
  readonly group?: string;
  /** Key of a tag; applies only to requests that read a value of that tag. */
  readonly tag?: string;
  readonly tag_value?: string;
}

export interface UsageCriteria {
  readonly rows: UsageAxis;
  readonly columns: UsageAxis | undefined;
  readonly grain: UsagePeriod | undefined;
  readonly measure: UsageRanking;
  readonly order: 'desc' | 'asc';
  readonly top: number;
  readonly zone: string;
  readonly filter: UsageFilter;
  /** In seconds; 0 means no limit. */
  readonly start: number;
  readonly end: number;
}

interface UsageQuery {
  readonly rows: UsageAxis;
  readonly columns: UsageAxis | '';
  readonly measure: UsageRanking;
  readonly order?: 'desc' | 'asc';
  readonly top: number;
  readonly zone: string;
  readonly start_timestamp: number;
  readonly end_timestamp: number;
  readonly model_name: string;
  readonly token_name: string;
  readonly group: string;
  readonly username?: string;
  readonly user_id?: number;
  readonly channel?: number;
  readonly tag?: string;
  readonly tag_value?: string;
}

/** Parses a query in which empty and 0 match anything. */
export function parseUsageCriteria(query: UsageQuery): UsageCriteria {
  const { rows, columns, measure, order = 'desc', top, zone, start_timestamp, end_timestamp, ...requested } = query;
  const isTwice = rows === columns || (isUsagePeriod(rows) && isUsagePeriod(columns));
  if (isTwice) throw new ApiError('usageAxesAlike');
  const isTagged = rows === 'tag' || columns === 'tag' || Boolean(requested.tag_value);
  if (isTagged && !requested.tag) throw new ApiError('usageTagMissing');
  const given = Object.entries(requested).filter(([, value]) => value !== undefined && value !== '' && value !== 0);
  const grain = [rows, columns].find((axis): axis is UsagePeriod => isUsagePeriod(axis));
  return {
    rows,
    columns: columns === '' ? undefined : columns,
    grain,
    measure,
    order,
    top,
    zone,
    filter: Object.fromEntries(given),
    start: start_timestamp,
    end: end_timestamp,
  };
}

/** Rollup columns that identify a subject. */
export const subjectColumns = {
  model: ['model_name'],
  user: ['user_id'],
  token: ['user_id', 'token_name'],
  channel: ['channel'],
  group: ['group'],
  tag: ['tag_value'],
} as const satisfies Record<UsageSubject, readonly (keyof UsageFilter)[]>;

export const subjectsOf = ({ rows, columns }: Pick<UsageCriteria, 'rows' | 'columns'>): readonly UsageSubject[] =>
  [rows, columns].filter((axis): axis is UsageSubject => axis !== undefined && !isUsagePeriod(axis));

/** The most selective requested subject: filtering by its top values leaves the fewest rows to sum. */
export const narrowingSubject = (question: UsageCriteria): UsageSubject | undefined =>
  (['user', 'token', 'tag', 'channel', 'model', 'group'] as const).find((subject) =>
    subjectsOf(question).includes(subject),
  );
