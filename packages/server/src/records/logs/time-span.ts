import { endOfHour, secondsPerHour } from './roll-up.ts';

/** Seconds, both ends included. Empty when it ends before it begins. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const isEmpty = ({ from, to }: Span): boolean => to < from;

export const overlap = (one: Span, other: Span): Span => ({
  from: Math.max(one.from, other.from),
  to: Math.min(one.to, other.to),
});

/** A span cut at the hours: the whole ones in the middle, for which there are sums, and what is left at either end. */
export interface HourCut {
  readonly newest: Span;
  readonly whole: Span;
  readonly oldest: Span;
}

const emptySpan: Span = { from: 0, to: -1 };

export function cutAtHours(span: Span): HourCut {
  const from = Math.ceil(span.from / secondsPerHour) * secondsPerHour;
  const to = Math.floor((span.to + 1) / secondsPerHour) * secondsPerHour - 1;
  if (isEmpty(span) || from > to + 1) return { newest: span, whole: emptySpan, oldest: emptySpan };
  return { newest: { from: to + 1, to: span.to }, whole: { from, to }, oldest: { from: span.from, to: from - 1 } };
}

/** Hours in any order as spans, without gaps of more than some seconds. */
export function runsOf(hours: readonly number[], gap: number): readonly Span[] {
  const runs: { from: number; to: number }[] = [];
  for (const hour of hours.toSorted((one, other) => one - other)) {
    const open = runs.at(-1);
    if (open && hour - open.to <= gap) open.to = endOfHour(hour);
    else runs.push({ from: hour, to: endOfHour(hour) });
  }
  return runs;
}

/** A query that names more spans than this takes longer to make than to read what lies between them. */
const mostSpans = 20;

/** Hours as spans of them; where these would be many, one that reaches over all. */
export function inFewSpans(hours: readonly number[]): readonly Span[] {
  const runs = runsOf(hours, secondsPerHour);
  const [first, last] = [runs[0], runs.at(-1)];
  return first && last && runs.length > mostSpans ? [{ from: first.from, to: last.to }] : runs;
}
