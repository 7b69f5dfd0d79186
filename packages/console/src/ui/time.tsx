import { formatTime } from '../lib/format/format.ts';

/** Time in a list, as a `time` element. */
export function Time({ seconds }: { readonly seconds: number }) {
  const full = formatTime(seconds);
  return (
    <time dateTime={new Date(seconds * 1000).toISOString()} title={full}>
      {full}
    </time>
  );
}
