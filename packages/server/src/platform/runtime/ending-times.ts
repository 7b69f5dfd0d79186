/** After the grace of running requests, for their charges and whatever else has to be stored. */
export const storingMs = 10_000;

interface EndingTimes {
  readonly shutdownDrainMs: number;
  readonly shutdownGraceMs: number;
}

/** After SIGTERM a process that does anything at all is gone by then. */
export const longestEndingMs = ({ shutdownDrainMs, shutdownGraceMs }: EndingTimes): number =>
  shutdownDrainMs + shutdownGraceMs + storingMs;
