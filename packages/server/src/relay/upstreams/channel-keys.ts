import type { KeyStrategy } from '@headgate/contract';
import type { KeyLoad, RelayChannel, RelayKey } from '@headgate/relay';
import type { DecryptedKey } from '../../catalog/channels/channel-service.ts';

interface ChannelKeySet {
  readonly keys: readonly [DecryptedKey, ...DecryptedKey[]];
  readonly strategy: KeyStrategy;
  /** Known load of each key. */
  readonly known: ReadonlyMap<number, KeyLoad>;
}

/** A channel with several keys and the load of each. */
export function withKeys(channel: RelayChannel, { keys, strategy, known }: ChannelKeySet): RelayChannel {
  const begun = lowestLoad(keys, known);
  const keyed = ({ id, weight, key }: DecryptedKey): RelayKey => ({
    id,
    weight: Math.max(1, weight),
    channel: { ...channel, key, keyId: id },
    load: known.get(id) ?? { turn: 0, inFlight: 0, begun: begun * weight },
  });
  const [first, ...others] = keys;
  return { ...channel, keys: { strategy, all: [keyed(first), ...others.map(keyed)] } };
}

/** A new key starts with the load of the least used key; otherwise it would get all requests until it caught up. */
function lowestLoad(keys: readonly DecryptedKey[], known: ReadonlyMap<number, KeyLoad>): number {
  const shares = keys.flatMap(({ id, weight }) => {
    const load = known.get(id);
    return load ? [load.begun / weight] : [];
  });
  return shares.length === 0 ? 0 : Math.min(...shares);
}

/** Loads of all keys of these channels; removed keys are dropped. */
export const keyLoads = (channels: Iterable<RelayChannel>): ReadonlyMap<number, KeyLoad> =>
  new Map([...channels].flatMap(({ keys }) => keys?.all.map(({ id, load }) => [id, load] as const) ?? []));
