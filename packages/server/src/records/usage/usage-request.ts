import type { UsageMeasure, UsageSums } from '@headgate/contract';
import type { Span } from '../logs/time-span.ts';
import type { UsageFilter } from './usage-question.ts';
import type { Column, SumTable } from './usage-source.ts';

type Values = Readonly<Partial<Record<Column, string | number>>>;

export interface SumsRequest {
  /** Whole hours: the first and the last second. */
  readonly from: number;
  readonly to: number;
  /** What tells the sums apart. */
  readonly by: readonly Column[];
  /** Or the time they lie in: an hour, or a day that begins so many seconds before that of UTC. */
  readonly time?: 'hour' | 'day' | undefined;
  readonly offset?: number;
  readonly filter: UsageFilter;
  /** Sums of these alone; without users among them they may be more. */
  readonly among?: readonly Values[] | undefined;
  /** The largest by this, and so many of them. */
  readonly largest?: { readonly measure: UsageMeasure; readonly count: number } | undefined;
}

export type SumsRow = UsageSums & Values & { readonly time: number };

/** A time whose sums are read from a table. */
export interface Piece extends Span {
  readonly table: SumTable;
}
