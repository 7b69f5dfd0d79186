/** Time for storing charges and other state, after the grace period of requests. */
export const shutdownStoreMs = 10_000;

interface EndingTimes {
  readonly shutdownDrainMs: number;
  readonly shutdownGraceMs: number;
}

/** Maximum time from SIGTERM to the end of the process. */
export const maxShutdownMs = ({ shutdownDrainMs, shutdownGraceMs }: EndingTimes): number =>
  shutdownDrainMs + shutdownGraceMs + shutdownStoreMs;
