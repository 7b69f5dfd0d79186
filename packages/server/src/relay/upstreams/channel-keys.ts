import type { KeyStrategy } from '@headgate/contract';
import type { KeyLoad, RelayChannel, RelayKey } from '@headgate/relay';
import type { DecryptedKey } from '../../catalog/channels/relay-channel-reader.ts';

type Purchase = NonNullable<RelayChannel['purchase']>;

interface ChannelKeySet {
  readonly keys: readonly [DecryptedKey, ...DecryptedKey[]];
  readonly strategy: KeyStrategy;
  /** Known load of each key. */
  readonly known: ReadonlyMap<number, KeyLoad>;
}

/** A channel with several keys and the load of each. */
export function withKeys(channel: RelayChannel, { keys, strategy, known }: ChannelKeySet): RelayChannel {
  const begun = lowestLoad(keys, known);
  const keyed = ({ id, weight, cost_percent, key }: DecryptedKey): RelayKey => ({
    id,
    weight: Math.max(1, weight),
    channel: { ...channel, key, keyId: id, purchase: purchaseAt(channel.purchase, cost_percent) },
    load: known.get(id) ?? { turn: 0, inFlight: 0, begun: begun * weight },
  });
  const [first, ...others] = keys;
  const purchase = purchaseAt(channel.purchase, averageCost(keys));
  return { ...channel, purchase, keys: { strategy, all: [keyed(first), ...others.map(keyed)] } };
}

/** Weighted average cost of the keys in percent, used before a key is selected. */
function averageCost(keys: readonly DecryptedKey[]): number {
  const total = keys.reduce((sum, { weight }) => sum + Math.max(1, weight), 0);
  return keys.reduce((sum, { weight, cost_percent }) => sum + Math.max(1, weight) * cost_percent, 0) / total;
}

/** The purchase prices of a channel, or the list prices, at this percentage. */
function purchaseAt(purchase: Purchase | undefined, percent: number): Purchase | undefined {
  if (percent === 100) return purchase;
  const factor = percent / 100;
  const { multiplier = 1, models = {} } = purchase ?? {};
  // All prices of a model, or the multiple of its list price.
  const scaled = (price: Purchase['models'][string]) =>
    Object.fromEntries(
      Object.entries(price).map(([part, amount]) => [part, amount * factor]),
    ) as unknown as Purchase['models'][string];
  return {
    multiplier: multiplier * factor,
    models: Object.fromEntries(Object.entries(models).map(([model, price]) => [model, scaled(price)])),
  };
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
