import { maxHistogramBars } from '@headgate/contract';
import { secondsPerDay, secondsPerHour } from './hours.ts';
import type { Span } from './time-span.ts';

export interface HistogramRange extends Span {
  readonly step: number;
}

const minute = 60;

/** Below an hour, bars are counted from the logs, above from the rollups of whole hours. */
const steps = [
  ...[1, 5, 10, 30],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * secondsPerHour),
  ...[1, 2, 7, 14, 30, 90, 365].map((count) => count * secondsPerDay),
];

/** Longest range that is counted from the logs. */
const maxFineLength = 6 * secondsPerHour;

/** Bars of a range, which is extended to whole steps, or to whole hours for longer steps. */
export function histogramRange({ from, to }: Span): HistogramRange {
  const seconds = Math.max(to - from + 1, 1);
  const min = seconds > maxFineLength ? secondsPerHour : 1;
  const fits = (step: number) => step >= min && Math.ceil(seconds / step) < maxHistogramBars;
  const step = steps.find(fits) ?? Math.ceil(seconds / (maxHistogramBars - 1) / secondsPerDay) * secondsPerDay;
  const unit = Math.min(step, secondsPerHour);
  const start = Math.floor(from / unit) * unit;
  return { from: start, to: Math.max(Math.ceil((to + 1) / unit) * unit - 1, start), step };
}
