import type { BudgetPeriod, WindowPeriod } from '@headgate/contract';

/** Half-open interval [start, end) in Unix seconds. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

type Zoned = Temporal.ZonedDateTime;

interface Calendar {
  /** Midnight of the first day, or the first moment after it where a clock change skips midnight. */
  readonly first: (moment: Zoned) => Zoned;
  readonly next: (first: Zoned) => Zoned;
}

const calendars: Readonly<Record<Exclude<BudgetPeriod, 'all'>, Calendar>> = {
  day: { first: (moment) => moment.startOfDay(), next: (first) => first.add({ days: 1 }).startOfDay() },
  week: {
    first: (moment) => moment.subtract({ days: moment.dayOfWeek - 1 }).startOfDay(),
    next: (first) => first.add({ weeks: 1 }).startOfDay(),
  },
  month: {
    first: (moment) => moment.with({ day: 1 }).startOfDay(),
    next: (first) => first.add({ months: 1 }).startOfDay(),
  },
};

const always: Span = { start: 0, end: Number.POSITIVE_INFINITY };

const inSeconds = ({ epochMilliseconds }: Zoned): number => Math.ceil(epochMilliseconds / 1000);

/** Time zones are added and removed, so a zone known to one version of the time zone data may be missing in another. */
export function isKnownTimeZone(timeZone: string): boolean {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Falls back to UTC for an unknown zone, so that a budget still applies after its database is moved to another
 * machine.
 */
export const effectiveTimeZone = (timeZone: string): string => (isKnownTimeZone(timeZone) ? timeZone : 'UTC');

const secondsPerHour = 3600;

/** A budget, or a window of a plan. */
export interface Window {
  readonly period: WindowPeriod;
  readonly time_zone: string;
  /** Length of a rolling window; 0 for calendar periods. */
  readonly hours: number;
  /** Start of the first rolling window. */
  readonly created_time: number;
}

/**
 * The period of a window that contains this second. Rolling windows follow each other from the start of the plan, so
 * that all nodes agree on their limits.
 */
export function windowAt({ period, time_zone, hours, created_time }: Window, seconds: number): Span {
  if (period !== 'hours') return periodAt(period, time_zone, seconds);
  const length = Math.max(1, hours) * secondsPerHour;
  const start = created_time + Math.floor(Math.max(0, seconds - created_time) / length) * length;
  return { start, end: start + length };
}

/** The day, week or month that contains this second in the time zone; a day may have 23 or 25 hours. */
export function periodAt(period: BudgetPeriod, timeZone: string, seconds: number): Span {
  if (period === 'all') return always;
  const { first, next } = calendars[period];
  const moment = Temporal.Instant.fromEpochMilliseconds(seconds * 1000);
  const start = first(moment.toZonedDateTimeISO(effectiveTimeZone(timeZone)));
  return { start: inSeconds(start), end: inSeconds(next(start)) };
}
