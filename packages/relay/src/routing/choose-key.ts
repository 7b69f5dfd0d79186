import type { Candidate, RelayChannel, RelayKey, RelayKeys } from '../ports/relay-channel.ts';
import type { Cooldowns } from './cooldowns.ts';

/** The next key among those allowed, by weight. `roll` returns a random number in [0, 1). */
export function chooseKey(
  { strategy, all }: RelayKeys,
  mayTake: (key: RelayKey) => boolean,
  roll: () => number,
): RelayKey | undefined {
  if (strategy === 'least_used') return leastUsed(all, mayTake);
  return strategy === 'random' ? pickByWeight(all.filter(mayTake), roll()) : nextInTurn(all, mayTake);
}

/** Smooth weighted round-robin: in each turn, every key gains its weight and the chosen key loses the total weight. */
function nextInTurn(all: readonly RelayKey[], mayTake: (key: RelayKey) => boolean): RelayKey | undefined {
  let total = 0;
  let next: RelayKey | undefined;
  for (const key of all) {
    if (!mayTake(key)) continue;
    key.load.turn += key.weight;
    total += key.weight;
    if (!next || key.load.turn > next.load.turn) next = key;
  }
  if (next) next.load.turn -= total;
  return next;
}

function leastUsed(all: readonly RelayKey[], mayTake: (key: RelayKey) => boolean): RelayKey | undefined {
  let least: RelayKey | undefined;
  for (const key of all) if (mayTake(key) && (!least || isLessUsed(key, least))) least = key;
  return least;
}

function isLessUsed(one: RelayKey, other: RelayKey): boolean {
  const inFlight = one.load.inFlight / one.weight - other.load.inFlight / other.weight;
  return inFlight === 0 ? one.load.begun / one.weight < other.load.begun / other.weight : inFlight < 0;
}

/** Authentication and rate limit statuses: another key may succeed. */
const keyStatuses: ReadonlySet<number> = new Set([401, 402, 403, 429]);

/** True if a status is caused by the key, not by the whole channel. */
export const isKeyErrorStatus = (status: number): boolean => keyStatuses.has(status);

/** Channels with at least one key that is not cooling down. */
export function channelsWithAvailableKey<C extends Pick<RelayChannel, 'keys'>>(
  channels: readonly C[],
  cooldowns: Cooldowns,
  now: number,
): readonly C[] {
  if (cooldowns.isEmpty) return channels;
  return channels.filter(({ keys }) => !keys || keyCooldownMs(keys, cooldowns, now) === 0);
}

/** Milliseconds until one of the keys is available again. */
export const keyCooldownMs = ({ all }: RelayKeys, cooldowns: Cooldowns, now: number): number =>
  Math.min(...all.map(({ id }) => cooldowns.cooldownOf(id, now)));

/**
 * The channel with the key that created a stored response. 0 stands for the first key, from when the channel had a
 * single key.
 */
export function selectKey(channel: RelayChannel, key: number): RelayChannel | undefined {
  const { keys } = channel;
  if (!keys) return channel;
  return key === 0 ? keys.all[0].channel : keys.all.find(({ id }) => id === key)?.channel;
}

/**
 * Chooses the next channel to try by weight, within the highest priority that has a channel left. `roll` is a random
 * number in [0, 1). Undefined if all have failed.
 */
export function chooseChannel<C extends Candidate>(
  channels: readonly C[],
  failed: ReadonlySet<number>,
  roll: number,
): C | undefined {
  const [only] = channels;
  if (only && channels.length === 1) return failed.has(only.id) ? undefined : only;
  return pickByWeight(topPriorityChannels(channels, failed), roll);
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

export function pickByWeight<C extends Pick<Candidate, 'weight'>>(step: readonly C[], roll: number): C | undefined {
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
