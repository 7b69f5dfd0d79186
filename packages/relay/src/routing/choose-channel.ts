import type { Candidate } from '../ports/relay-channel.ts';

/**
 * The next channel to try: the highest priority with one left, drawn by weight. `roll` is a random number in [0, 1).
 * Undefined when all have failed.
 */
export function chooseChannel<C extends Candidate>(
  channels: readonly C[],
  failed: ReadonlySet<number>,
  roll: number,
): C | undefined {
  const [only] = channels;
  if (only && channels.length === 1) return failed.has(only.id) ? undefined : only;
  return drawByWeight(topPriorityOf(channels, failed), roll);
}

/** Channels of the highest priority that has one left. */
export function topPriorityOf<C extends Candidate>(channels: readonly C[], failed: ReadonlySet<number>): readonly C[] {
  const left = channels.filter(({ id }) => !failed.has(id));
  const highest = Math.max(...left.map(({ priority }) => priority));
  return left.filter(({ priority }) => priority === highest);
}

export function drawByWeight<C extends Pick<Candidate, 'weight'>>(step: readonly C[], roll: number): C | undefined {
  const total = step.reduce((sum, candidate) => sum + weightOf(candidate), 0);
  let remaining = roll * total;
  for (const candidate of step) {
    remaining -= weightOf(candidate);
    if (remaining < 0) return candidate;
  }
  return step.at(-1);
}

/** A weight of 0 counts as 1, so that channels without a weight share evenly. */
export const weightOf = ({ weight }: Pick<Candidate, 'weight'>): number => Math.max(weight, 1);
