import type { UsageMeasure, UsageTotals } from '@headgate/contract';
import type { UsageFilter } from './usage-criteria.ts';

export type Column = keyof UsageFilter;

type Values = Readonly<Partial<Record<Column, string | number>>>;

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
  /** The only users who can match the filter, if they are few. */
  readonly owners?: readonly number[] | undefined;
  /** Restricts the result to these values. */
  readonly among?: readonly Values[] | undefined;
  /** Includes rows without a model, channel or group. */
  readonly isWithUnnamed?: true;
  /** Limits the result to the largest values of this measure. */
  readonly largest?: { readonly measure: UsageMeasure; readonly count: number } | undefined;
}

export type SumsRow = UsageTotals & Values & { readonly time: number };
