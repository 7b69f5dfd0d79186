/** Utilization of the main thread up to which exports are not throttled. */
const unthrottledUtilization = 0.5;
/** Utilization from which exports are fully throttled. */
const fullThrottleUtilization = 0.9;
/** Slowdown factor of a fully throttled export, which leaves it a twelfth of one processor. */
const maxSlowdown = 12;
/** With at least this many processors, an export does not compete with the main thread. */
const fewProcessors = 4;
/** Upper limit of the pause, whatever was measured. */
const maxPauseMs = 1000;

interface Piece {
  /** CPU time. */
  readonly workedMs: number;
  /** Time spent waiting for a separate database, which may compete for the same processors. */
  readonly databaseMs: number;
  /** Elapsed time, including waits for a processor or the client. */
  readonly passedMs: number;
  /** Share of time the main thread was busy, from 0 to 1. */
  readonly utilization: number;
  readonly processors: number;
}

/**
 * Milliseconds an export pauses after a step. A low priority is not sufficient, because the processor is often idle
 * between two requests, and not all systems support thread priorities.
 */
export function exportPauseMs({ workedMs, databaseMs, passedMs, utilization, processors }: Piece): number {
  if (processors >= fewProcessors) return 0;
  // Waiting for the database includes waiting for a processor, so at most this thread's CPU time is counted.
  const work = workedMs + Math.min(databaseMs, workedMs);
  const hurry = Math.min(
    Math.max((utilization - unthrottledUtilization) / (fullThrottleUtilization - unthrottledUtilization), 0),
    1,
  );
  const lasting = work * (1 + hurry * (maxSlowdown - 1));
  return Math.min(Math.max(lasting - passedMs, 0), maxPauseMs);
}
