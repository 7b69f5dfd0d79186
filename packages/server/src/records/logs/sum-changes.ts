import { type Failed, failureSums, latencySums, type Timed } from './request-sums.ts';
import { type Countable, finestSums, type Summable } from './roll-up.ts';

/** What is known of a log when it is added to the sums, or taken off them. */
export type Summed = Countable & Timed & Failed;

/** What logs add to the sums, as it waits beside them on PostgreSQL: all coarser sums follow from these. */
export interface SumChanges {
  readonly usage: readonly Omit<Summable, 'day'>[];
  readonly latency: ReturnType<typeof latencySums>;
  readonly failures: ReturnType<typeof failureSums>;
}

export const sumChanges = (logs: readonly Summed[]): SumChanges => ({
  usage: finestSums(logs).map(({ day: _day, ...sum }) => sum),
  latency: latencySums(logs),
  failures: failureSums(logs),
});
