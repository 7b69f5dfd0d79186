import { secondsPerDay, secondsPerHour } from './hours.ts';

/** Seconds, inclusive. Empty if `to` is before `from`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export const isEmpty = ({ from, to }: Span): boolean => to < from;

export const overlap = (one: Span, other: Span): Span => ({
  from: Math.max(one.from, other.from),
  to: Math.min(one.to, other.to),
});

/** A span split at whole hours or days: the middle is read from rollups, the ends from the logs. */
export interface SplitSpan {
  readonly newest: Span;
  readonly whole: Span;
  readonly oldest: Span;
}

const emptySpan: Span = { from: 0, to: -1 };

export const splitAtHours = (span: Span): SplitSpan => cutAt(span, secondsPerHour);
export const splitAtDays = (span: Span): SplitSpan => cutAt(span, secondsPerDay);

function cutAt(span: Span, seconds: number): SplitSpan {
  const from = Math.ceil(span.from / seconds) * seconds;
  const to = Math.floor((span.to + 1) / seconds) * seconds - 1;
  if (isEmpty(span) || from > to + 1) return { newest: span, whole: emptySpan, oldest: emptySpan };
  return { newest: { from: to + 1, to: span.to }, whole: { from, to }, oldest: { from: span.from, to: from - 1 } };
}
