import type { UsagePeriod } from '@headgate/contract';
import type { ZoneSpan } from './time-zone.ts';

const secondsPerHour = 3600;
const secondsPerDay = 86_400;
const daysPerWeek = 7;
/** 1970 started on a Thursday. */
const mondayBefore1970 = 3;

/** Hour, day, week or month in the user's time zone, limited to the requested time range. */
export interface TimeBucket {
  /** Start date; for hours, also the time. */
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

const dateOf = (day: number): string => new Date(day * secondsPerDay * 1000).toISOString().slice(0, 10);

/** Key of the bucket that contains a local time, in seconds since 1970. */
function keyOf(grain: UsagePeriod, local: number): string {
  const day = Math.floor(local / secondsPerDay);
  switch (grain) {
    case 'hour':
      return new Date(local * 1000).toISOString().slice(0, 16).replace('T', ' ');
    case 'day':
      return dateOf(day);
    case 'week':
      return dateOf(day - ((day + mondayBefore1970) % daysPerWeek));
    case 'month':
      return dateOf(day).slice(0, 7);
  }
}

/** Buckets of a time range, and a lookup by hour or local day. */
export class TimeBuckets {
  readonly all: readonly TimeBucket[];
  readonly #grain: UsagePeriod;
  readonly #indexes: ReadonlyMap<string, number>;

  constructor(grain: UsagePeriod, spans: readonly ZoneSpan[], max: number) {
    this.#grain = grain;
    const step = grain === 'hour' ? secondsPerHour : secondsPerDay;
    const buckets: { key: string; from: number; to: number }[] = [];
    for (const { from, to, offset } of spans) {
      // Stops one above the limit, which is enough to detect too many buckets.
      for (let at = from; at <= to && buckets.length <= max; at = nextAfter(at, step, offset)) {
        const last = Math.min(to, nextAfter(at, step, offset) - 1);
        const key = this.#nameOf(at, offset);
        const open = buckets.at(-1);
        if (open?.key === key) open.to = last;
        else buckets.push({ key, from: at, to: last });
      }
    }
    this.all = buckets;
    this.#indexes = new Map(buckets.map(({ key }, index) => [key, index]));
  }

  /** Bucket index of an hour or local day. */
  indexOf(time: number, offset: number): number | undefined {
    return this.#indexes.get(this.#nameOf(time, offset));
  }

  /** An hour occurs twice when clocks go back, so its key includes the UTC offset. */
  #nameOf(time: number, offset: number): string {
    const key = keyOf(this.#grain, time + offset);
    return this.#grain === 'hour' ? `${key}${zoneText(offset)}` : key;
  }
}

const nextAfter = (time: number, step: number, offset: number): number =>
  (Math.floor((time + offset) / step) + 1) * step - offset;

function zoneText(offset: number): string {
  const hours = Math.abs(offset) / secondsPerHour;
  return `${offset < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:00`;
}
