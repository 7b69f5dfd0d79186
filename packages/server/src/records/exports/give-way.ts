/** Up to here whoever answers requests has time to spare. */
const unhurried = 0.5;
/** From here on it is at its limit. */
const hurried = 0.9;
/** How many times as long as it works an export then lasts: a twelfth of one processor is left to it. */
const longest = 12;
/** Where there are more, an export has one that nobody else wants. */
const fewProcessors = 4;
/** Whatever was measured, it goes on. */
const longestRestMs = 1000;

interface Piece {
  /** For how long it had a processor. */
  readonly workedMs: number;
  /** How long it waited for a database that works beside it, and may want the same processors. */
  readonly databaseMs: number;
  /** How long it lasted, waiting for a processor or for whoever reads it included. */
  readonly passedMs: number;
  /** How much of its time the thread that answers requests was busy, from 0 to 1. */
  readonly utilization: number;
  readonly processors: number;
}

/**
 * How many milliseconds an export rests after a piece of its work. A low priority alone does not do: between two
 * requests there is always a moment in which nobody else wants the processor, and not all systems give threads one.
 */
export function restAfter({ workedMs, databaseMs, passedMs, utilization, processors }: Piece): number {
  if (processors >= fewProcessors) return 0;
  // Who waits for a database also waits for a processor: that it works longer than this thread is not believed.
  const work = workedMs + Math.min(databaseMs, workedMs);
  const hurry = Math.min(Math.max((utilization - unhurried) / (hurried - unhurried), 0), 1);
  const lasting = work * (1 + hurry * (longest - 1));
  return Math.min(Math.max(lasting - passedMs, 0), longestRestMs);
}
