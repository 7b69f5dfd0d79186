import type { BudgetPeriod } from '@headgate/contract';

/** From its first second to the first that is not in it any more; both since 1970. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

type Zoned = Temporal.ZonedDateTime;

interface Calendar {
  /** Midnight of the first day, or the first moment after it where the clocks skip it. */
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

/** Zones are given up and invented: what one version of their data knows another may not. */
export function isKnownZone(timeZone: string): boolean {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone) !== undefined;
  } catch {
    return false;
  }
}

/** The zone by which a budget is counted. UTC stands in for one that nobody knows here: a budget holds wherever its database is moved to. */
export const countedZone = (timeZone: string): string => (isKnownZone(timeZone) ? timeZone : 'UTC');

/** The day, week or month of a time zone in which a moment lies, however many hours it has there. */
export function periodAt(period: BudgetPeriod, timeZone: string, seconds: number): Span {
  if (period === 'all') return always;
  const { first, next } = calendars[period];
  const moment = Temporal.Instant.fromEpochMilliseconds(seconds * 1000);
  const start = first(moment.toZonedDateTimeISO(countedZone(timeZone)));
  return { start: inSeconds(start), end: inSeconds(next(start)) };
}
