import type { Candidate } from '../ports/relay-channel.ts';

/**
 * The channel to try next: the highest priority that has one left, drawn by weight. A weight of 0 counts as 1, so that
 * channels nobody weighed share evenly. `roll` is a chance in [0, 1). Undefined when all have failed.
 */
export function chooseChannel<C extends Candidate>(
  channels: readonly C[],
  failed: ReadonlySet<number>,
  roll: number,
): C | undefined {
  const [only] = channels;
  if (only && channels.length === 1) return failed.has(only.id) ? undefined : only;
  const left = channels.filter(({ id }) => !failed.has(id));
  const highest = Math.max(...left.map(({ priority }) => priority));
  const tier = left.filter(({ priority }) => priority === highest);
  const total = tier.reduce((sum, candidate) => sum + weightOf(candidate), 0);
  let remaining = roll * total;
  for (const candidate of tier) {
    remaining -= weightOf(candidate);
    if (remaining < 0) return candidate;
  }
  return tier.at(-1);
}

const weightOf = ({ weight }: Candidate) => Math.max(weight, 1);
