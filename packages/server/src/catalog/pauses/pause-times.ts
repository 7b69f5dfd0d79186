/** Seconds until a paused model is tested for the first time, and at most. */
const firstPause = 60;
const longestPause = 3600;

/** What fails again so soon after it came back has not been well. */
const relapseWithin = 3600;

export const longerPause = (pause: number): number => Math.min(pause * 2, longestPause);

interface EarlierPause {
  readonly pause: number;
  readonly ended_time: number;
}

/** How long a new pause is, with regard to the one before. */
export const pauseAfter = (earlier: EarlierPause | undefined, now: number): number =>
  earlier && now - earlier.ended_time < relapseWithin ? longerPause(earlier.pause) : firstPause;
