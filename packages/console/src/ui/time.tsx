import { formatTime, shortTime } from '../lib/format.ts';

interface TimeProps {
  readonly seconds: number;
  /** Without what goes without saying, where room is scarce. */
  readonly isShort?: boolean;
}

/** A time in a list, the full value on hover. */
export function Time({ seconds, isShort = false }: TimeProps) {
  const full = formatTime(seconds);
  return (
    <time dateTime={new Date(seconds * 1000).toISOString()} title={full}>
      {isShort ? shortTime(seconds) : full}
    </time>
  );
}
