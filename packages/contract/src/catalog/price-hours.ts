import * as z from 'zod/mini';
import { matchesPattern } from '../accounts/token-scope.ts';
import { isTimeZone } from '../records/export.ts';
import { jsonObjectIn } from '../wire/json-object.ts';

/** Limits of the price hours. */
export const priceHourLimits = { models: 1000, windows: 10, multiplier: 100, textLength: 200_000 } as const;

const timeOfDay = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const time = z.string().check(z.regex(timeOfDay));

/** Hours in which a model costs a multiple of its price. */
export const priceWindow = z.strictObject({
  /** First minute, as HH:MM. */
  from: time,
  /** End, exclusive. If it is not after `from`, the end is on the next day. */
  to: time,
  /** Days on which the hours start, from 1 (Monday) to 7; empty: every day. */
  days: z._default(z.array(z.int().check(z.minimum(1), z.maximum(7))).check(z.maxLength(7)), []),
  /** IANA time zone. */
  zone: z._default(z.string().check(z.maxLength(60), z.refine(isTimeZone)), 'UTC'),
  multiplier: z.number().check(z.minimum(0), z.maximum(priceHourLimits.multiplier)),
});
export type PriceWindow = z.output<typeof priceWindow>;

/** Hours by model name or pattern. */
export type PriceHours = ReadonlyMap<string, readonly PriceWindow[]>;

const windows = z.array(priceWindow).check(z.minLength(1), z.maxLength(priceHourLimits.windows));

/**
 * Parses the option that contains the hours of all models. If it is invalid, returns undefined and the model with the
 * error.
 */
export function readPriceHours(text: string): { readonly hours?: PriceHours; readonly item: string } {
  if (text.trim() === '') return { hours: new Map(), item: '' };
  const given = jsonObjectIn(text);
  if (!given || Object.keys(given).length > priceHourLimits.models) return { item: '' };
  const hours = new Map<string, readonly PriceWindow[]>();
  for (const [model, value] of Object.entries(given)) {
    const read = windows.safeParse(value);
    if (!read.success || model.trim() === '') return { item: model.slice(0, 100) };
    hours.set(model, read.data);
  }
  return { hours, item: '' };
}

/** Price hours as JSON. */
export const serializePriceHours = (hours: PriceHours): string =>
  hours.size === 0 ? '' : JSON.stringify(Object.fromEntries(hours));

/** Hours for a model: an exact name takes precedence over the longest matching pattern. */
export function hoursOfModel(hours: PriceHours, model: string): readonly PriceWindow[] | undefined {
  const exact = hours.get(model);
  if (exact || hours.size === 0) return exact;
  const patterns = [...hours.keys()].filter((name) => name.includes('*') && matchesPattern(name, model));
  const longest = patterns.reduce((one, other) => (other.length > one.length ? other : one), '');
  return hours.get(longest);
}

interface LocalTime {
  /** 1 (Monday) to 7. */
  readonly day: number;
  readonly minute: number;
}

const minutesPerDay = 1440;

/** Multiplier at a time in milliseconds since the epoch: from the first matching hours, otherwise 1. */
export function multiplierAt(hours: readonly PriceWindow[] | undefined, time: number): number {
  return hours?.find((window) => isWithin(window, localTime(time, window.zone)))?.multiplier ?? 1;
}

function isWithin({ from, to, days }: PriceWindow, { day, minute }: LocalTime): boolean {
  const [start, end] = [minuteOf(from), minuteOf(to)];
  const begins = (on: number) => days.length === 0 || days.includes(on);
  if (start < end) return minute >= start && minute < end && begins(day);
  const yesterday = day === 1 ? 7 : day - 1;
  return (minute >= start && minute < minutesPerDay && begins(day)) || (minute < end && begins(yesterday));
}

function minuteOf(text: string): number {
  const [hours = '0', minutes = '0'] = text.split(':');
  return Number(hours) * 60 + Number(minutes);
}

const minuteMs = 60_000;
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Cached, because creating a formatter is slow. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const style = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const format = new Intl.DateTimeFormat('en', { timeZone, ...style });
  formats.set(timeZone, format);
  return format;
}

function localTime(time: number, zone: string): LocalTime {
  if (zone === 'UTC') {
    const minutes = Math.floor(time / minuteMs);
    // January 1, 1970 was a Thursday.
    return { day: ((Math.floor(minutes / minutesPerDay) + 3) % 7) + 1, minute: minutes % minutesPerDay };
  }
  const parts = Object.fromEntries(
    formatFor(zone)
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  return {
    day: weekdays.indexOf(parts['weekday'] ?? '') + 1,
    minute: minuteOf(`${parts['hour']}:${parts['minute']}`),
  };
}
