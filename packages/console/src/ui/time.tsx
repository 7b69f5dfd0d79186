import { formatTime } from '../lib/format/format.ts';

/** A time in a list, told to a screen reader and a browser too. */
export function Time({ seconds }: { readonly seconds: number }) {
  const full = formatTime(seconds);
  return (
    <time dateTime={new Date(seconds * 1000).toISOString()} title={full}>
      {full}
    </time>
  );
}
