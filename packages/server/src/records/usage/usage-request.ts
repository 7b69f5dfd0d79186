import type { UsageMeasure, UsageTotals } from '@headgate/contract';
import type { UsageFilter } from './usage-question.ts';

export type Column = keyof UsageFilter;

type Values = Readonly<Partial<Record<Column, string | number>>>;

export interface SumsRequest {
  /** Whole hours: the first and the last second. */
  readonly from: number;
  readonly to: number;
  /** Columns that tell sums apart. */
  readonly by: readonly Column[];
  /** Time that tells sums apart: an hour, or a day that begins `offset` seconds before that of UTC. */
  readonly time?: 'hour' | 'day' | undefined;
  readonly offset?: number;
  readonly filter: UsageFilter;
  /** Users who alone can match the filter, if they are few. */
  readonly owners?: readonly number[] | undefined;
  /** Only sums of these values. */
  readonly among?: readonly Values[] | undefined;
  /** With rows that have no model, channel or group. */
  readonly isWithUnnamed?: true;
  /** Only the largest by this measure. */
  readonly largest?: { readonly measure: UsageMeasure; readonly count: number } | undefined;
}

export type SumsRow = UsageTotals & Values & { readonly time: number };
