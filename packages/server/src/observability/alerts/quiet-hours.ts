import { type AlertRule, isTimeZone } from '@headgate/contract';

const minutesPerDay = 1440;

type Quiet = Pick<AlertRule, 'quiet_from' | 'quiet_to' | 'time_zone'>;

/** When an alert of a rule may be sent, in seconds: now, or at the end of the quiet hours. */
export function nextSendTime(rule: Quiet, now: number): number {
  if (rule.quiet_from === '') return now;
  const [from, to] = [minutesOf(rule.quiet_from), minutesOf(rule.quiet_to)];
  const minute = minuteOfDay(rule.time_zone, now);
  const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
  if (!isQuiet) return now;
  const end = now - (now % 60) + untilMinute(minute, to) * 60;
  // A clock change during the quiet hours moves their end by an hour.
  const off = minuteOfDay(rule.time_zone, end) - to;
  return Math.abs(off) < minutesPerDay / 2 ? end - off * 60 : end;
}

const untilMinute = (minute: number, to: number): number => (to - minute + minutesPerDay) % minutesPerDay;

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Falls back to UTC for an unknown time zone: an alert at the wrong hour is better than none. */
function minuteOfDay(zone: string, time: number): number {
  const timeZone = isTimeZone(zone) ? zone : 'UTC';
  const format = new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const parts = new Map(format.formatToParts(time * 1000).map(({ type, value }) => [type, Number(value)]));
  return (parts.get('hour') ?? 0) * 60 + (parts.get('minute') ?? 0);
}
