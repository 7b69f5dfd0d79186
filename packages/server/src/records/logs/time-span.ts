import { endOfHour, secondsPerDay, secondsPerHour } from './roll-up.ts';

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

export const cutAtHours = (span: Span): HourCut => cutAt(span, secondsPerHour);

/** The same at days of UTC. */
export const cutAtDays = (span: Span): HourCut => cutAt(span, secondsPerDay);

function cutAt(span: Span, seconds: number): HourCut {
  const from = Math.ceil(span.from / seconds) * seconds;
  const to = Math.floor((span.to + 1) / seconds) * seconds - 1;
  if (isEmpty(span) || from > to + 1) return { newest: span, whole: emptySpan, oldest: emptySpan };
  return { newest: { from: to + 1, to: span.to }, whole: { from, to }, oldest: { from: span.from, to: from - 1 } };
}

/** Cuts whole hours into at most so many parts of equal length, the newest first. */
export function slices(whole: Span, most: number): Span[] {
  const hours = (whole.to + 1 - whole.from) / secondsPerHour;
  const length = Math.ceil(hours / most) * secondsPerHour;
  const cut: Span[] = [];
  for (let { to } = whole; to >= whole.from; to -= length) {
    cut.push({ from: Math.max(whole.from, to + 1 - length), to });
  }
  return cut;
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
