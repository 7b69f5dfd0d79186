/** Seconds until the first test of a paused model. */
const firstPause = 60;
const maxPause = 3600;

/** If a model fails again within this many seconds after a pause, the next pause is longer. */
const relapseWithin = 3600;

export const doubleCooldown = (pause: number): number => Math.min(pause * 2, maxPause);

interface EarlierPause {
  readonly pause: number;
  readonly ended_time: number;
}

/** Length of the next cooldown, based on the previous one. */
export const nextCooldown = (earlier: EarlierPause | undefined, now: number): number =>
  earlier && now - earlier.ended_time < relapseWithin ? doubleCooldown(earlier.pause) : firstPause;
