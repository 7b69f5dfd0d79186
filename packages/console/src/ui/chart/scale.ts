/** Steps between ticks, as multiples of a power of ten. */
const roundSteps = [1, 2, 2.5, 5, 10];

function roundStep(rough: number, isWhole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (roundSteps.find((each) => each * power >= rough * (1 - 1e-9)) ?? 10);
  return isWhole ? Math.max(1, Math.ceil(step)) : step;
}

/** Evenly spaced round numbers around 0 and all values between `min` and `max`, in ascending order. */
export function axisTicks(
  { min, max }: { readonly min: number; readonly max: number },
  count: number,
  isWhole = false,
): readonly number[] {
  const low = Math.min(0, min);
  const high = Math.max(0, max);
  const step = roundStep(high - low === 0 ? 1 : (high - low) / count, isWhole);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  return Array.from({ length: last - first + 1 }, (_, index) => round((first + index) * step));
}

/** Without the error of binary fractions. */
const round = (value: number): number => Number(value.toPrecision(12));

const maxDecimals = 6;

/** Decimals that tell all ticks apart. */
export function tickDecimals(ticks: readonly number[]): number {
  const isExact = (decimals: number) =>
    ticks.every((tick) => Math.abs(tick * 10 ** decimals - Math.round(tick * 10 ** decimals)) < 1e-6);
  let decimals = 0;
  while (decimals < maxDecimals && !isExact(decimals)) decimals += 1;
  return decimals;
}

const minute = 60;
const hour = 3600;
const daySeconds = 86_400;
const intervals = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 4, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 30, 90, 365].map((count) => count * daySeconds),
];

export interface TimeTick {
  /** Index of the point. */
  readonly at: number;
  /** True for a tick that is labelled with the date, false for the time of day. */
  readonly isDate: boolean;
}

/** Round local times, at most `room` of them. `times` are in seconds, evenly spaced except for daylight saving. */
export function timeTicks(times: readonly number[], room: number): readonly TimeTick[] {
  const first = times[0] ?? 0;
  const step = times.length > 1 ? (times[1] ?? first) - first : 0;
  const span = (times.at(-1) ?? first) - first;
  // Weeks and months do not start on multiples of their length.
  if (step > daySeconds || times.length === 1) return everyTick(times.length, room);
  const interval = intervals.find((each) => each >= step && span / each <= room) ?? span;
  return times.flatMap((time, at) => {
    const now = localSeconds(time);
    const before = localSeconds(times[at - 1] ?? time - 1);
    if (Math.floor(now / interval) === Math.floor(before / interval)) return [];
    return [{ at, isDate: interval >= daySeconds || Math.floor(now / daySeconds) !== Math.floor(before / daySeconds) }];
  });
}

function everyTick(count: number, room: number): readonly TimeTick[] {
  const every = Math.max(1, Math.ceil(count / Math.max(1, room)));
  return Array.from({ length: Math.ceil(count / every) }, (_, index) => ({ at: index * every, isDate: true }));
}

const localSeconds = (seconds: number): number => seconds - new Date(seconds * 1000).getTimezoneOffset() * minute;
