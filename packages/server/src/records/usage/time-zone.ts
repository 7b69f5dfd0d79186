import { ApiError } from '../../platform/errors/api-error.ts';

const secondsPerHour = 3600;
const secondsPerDay = 86_400;
/** Limited, because every day is checked synchronously. */
const maxSpan = 20 * 366 * secondsPerDay;

/** Time range with a constant UTC offset. Seconds, inclusive; whole hours. */
export interface ZoneSpan {
  readonly from: number;
  readonly to: number;
  /** UTC offset in seconds, rounded to whole hours. */
  readonly offset: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const cachedFormats = 100;

function formatOf(zone: string): Intl.DateTimeFormat {
  const kept = formats.get(zone);
  if (kept) return kept;
  try {
    const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
    if (formats.size >= cachedFormats) formats.clear();
    formats.set(zone, format);
    return format;
  } catch {
    throw new ApiError('badInput', { detail: `zone: ${zone}` });
  }
}

/** UTC offset in seconds at a time. */
function offsetAt(format: Intl.DateTimeFormat, time: number): number {
  const name = format.formatToParts(new Date(time * 1000)).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? [];
  if (!sign) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * secondsPerHour + Number(minutes) * 60);
}

const inHours = (offset: number): number => Math.round(offset / secondsPerHour) * secondsPerHour;

/** Splits a time range where the UTC offset changes, and reports whether offsets were rounded to whole hours. */
export function zoneSpans(
  zone: string,
  from: number,
  to: number,
): { readonly spans: readonly ZoneSpan[]; readonly isRounded: boolean } {
  if (to - from > maxSpan) throw new ApiError('usageTooFine');
  const format = formatOf(zone);
  const spans: ZoneSpan[] = [];
  let [begin, offset] = [from, offsetAt(format, from)];
  let isRounded = inHours(offset) !== offset;
  for (let time = from; time <= to; ) {
    const next = Math.min(time + secondsPerDay, to + 1);
    const later = offsetAt(format, next);
    if (later !== offset) {
      const change = changeBetween(format, time, next, offset);
      spans.push({ from: begin, to: change - 1, offset: inHours(offset) });
      [begin, offset] = [change, later];
      isRounded ||= inHours(offset) !== offset;
    }
    time = next;
  }
  if (begin <= to) spans.push({ from: begin, to, offset: inHours(offset) });
  return { spans, isRounded };
}

/** First hour after a clock change. */
function changeBetween(format: Intl.DateTimeFormat, from: number, to: number, before: number): number {
  let [low, high] = [from, to];
  while (high - low > secondsPerHour) {
    const middle = low + Math.floor((high - low) / 2 / secondsPerHour) * secondsPerHour;
    if (offsetAt(format, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}
