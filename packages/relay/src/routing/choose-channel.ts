import type { Candidate } from '../ports/relay-channel.ts';

/**
 * Chooses the next channel to try by weight, within the highest priority that has a channel left. `roll` is a random
 * number in [0, 1). Undefined when all have failed.
 */
export function chooseChannel<C extends Candidate>(
  channels: readonly C[],
  failed: ReadonlySet<number>,
  roll: number,
): C | undefined {
  const [only] = channels;
  if (only && channels.length === 1) return failed.has(only.id) ? undefined : only;
  return drawByWeight(topPriorityChannels(channels, failed), roll);
}

/** Channels of the highest priority in which a channel is left. */
export function topPriorityChannels<C extends Candidate>(
  channels: readonly C[],
  failed: ReadonlySet<number>,
): readonly C[] {
  const left = channels.filter(({ id }) => !failed.has(id));
  const highest = Math.max(...left.map(({ priority }) => priority));
  return left.filter(({ priority }) => priority === highest);
}

export function drawByWeight<C extends Pick<Candidate, 'weight'>>(step: readonly C[], roll: number): C | undefined {
  const total = step.reduce((sum, candidate) => sum + effectiveWeight(candidate), 0);
  let remaining = roll * total;
  for (const candidate of step) {
    remaining -= effectiveWeight(candidate);
    if (remaining < 0) return candidate;
  }
  return step.at(-1);
}

/** A weight of 0 counts as 1, so that channels without a weight share evenly. */
export const effectiveWeight = ({ weight }: Pick<Candidate, 'weight'>): number => Math.max(weight, 1);
