const two = (value: number) => String(value).padStart(2, '0');

/** Seconds since 1970 as local YYYY-MM-DD HH:mm:ss. */
export function formatTime(seconds: number): string {
  const time = new Date(seconds * 1000);
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

const written = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/** Local time as people write it, a day alone being its first second, back to seconds; undefined when it is no time. */
export function parseTime(text: string): number | undefined {
  const parts = written
    .exec(text.trim())
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const time = new Date(year, month - 1, day, hour, minute, second);
  // A day that no month has becomes one of the next month: nobody meant that.
  const isReal = time.getMonth() === month - 1 && time.getDate() === day && hour < 24 && minute < 60 && second < 60;
  return isReal ? time.getTime() / 1000 : undefined;
}

// Made once: to make one for every number takes longer than all else in a row of a list.
const figures = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });

/** A number with its thousands set apart. */
export const figure = (value: number): string => figures.format(value);
