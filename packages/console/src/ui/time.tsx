import { formatTime } from '../lib/format.ts';

/** A time in a list: day and minute, the full value on hover. */
export function Time({ seconds }: { readonly seconds: number }) {
  const full = formatTime(seconds);
  return (
    <time dateTime={new Date(seconds * 1000).toISOString()} title={full}>
      {full}
    </time>
  );
}
