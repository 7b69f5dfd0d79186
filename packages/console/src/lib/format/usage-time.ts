import { parseTime } from './format.ts';

/** Seconds, both ends inclusive. Without an end, the range is open. */
export interface UsageTime {
  readonly start: number;
  readonly end: number | undefined;
}

const secondsPerHour = 3600;

/** Preset ranges; a month can also be given as 2026-11. */
export const usageRanges = ['today', '24h', '7d', '30d', 'month'] as const;
export type UsageRange = (typeof usageRanges)[number];

/** Uses calendar days, because days with a clock change are shorter or longer. */
const midnight = (now: Date, daysAgo: number) =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime() / 1000;

const starts: Readonly<Record<UsageRange, (now: Date) => number>> = {
  today: (now) => midnight(now, 0),
  // The current hour and the previous 23, because rollups are hourly.
  '24h': (now) => (Math.floor(now.getTime() / 1000 / secondsPerHour) - 23) * secondsPerHour,
  '7d': (now) => midnight(now, 6),
  '30d': (now) => midnight(now, 29),
  month: (now) => new Date(now.getFullYear(), now.getMonth(), 1).getTime() / 1000,
};

const monthName = /^(\d{4})-(0[1-9]|1[0-2])$/;

export const isMonth = (text: string): boolean => monthName.test(text);

export const isRange = (text: string): text is UsageRange => usageRanges.some((range) => range === text);

const dayNames = /^(\d{4}-\d{2}-\d{2})(?:~(\d{4}-\d{2}-\d{2}))?$/;

/** True for a day, such as 2026-11-05, or a range of days, such as 2026-11-02~2026-11-08. */
export const isDays = (text: string): boolean => daysOf(text) !== undefined;

function daysOf(text: string): UsageTime | undefined {
  const [, first = '', last = first] = dayNames.exec(text) ?? [];
  const start = parseTime(first);
  const lastDay = parseTime(last);
  if (start === undefined || lastDay === undefined || lastDay < start) return undefined;
  const day = new Date(lastDay * 1000);
  return { start, end: new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime() / 1000 - 1 };
}

/** Start and end of a range. */
export function resolveRange(range: string, now: Date): UsageTime {
  const days = daysOf(range);
  if (days) return days;
  const [, year, month] = monthName.exec(range) ?? [];
  if (year && month) {
    const next = new Date(Number(year), Number(month), 1).getTime() / 1000;
    return { start: new Date(Number(year), Number(month) - 1, 1).getTime() / 1000, end: next - 1 };
  }
  return { start: starts[isRange(range) ? range : '7d'](now), end: undefined };
}

/** The current and previous months, newest first. */
export const lastMonths = (now: Date, count: number): string[] =>
  Array.from({ length: count }, (_, ago) => {
    const month = new Date(now.getFullYear(), now.getMonth() - ago, 1);
    return `${month.getFullYear()}-${String(month.getMonth() + 1).padStart(2, '0')}`;
  });
