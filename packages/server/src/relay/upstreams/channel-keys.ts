import type { KeyStrategy } from '@headgate/contract';
import type { KeyLoad, RelayChannel, RelayKey } from '@headgate/relay';
import type { OpenKey } from '../../catalog/channels/channel-service.ts';

interface Given {
  readonly keys: readonly [OpenKey, ...OpenKey[]];
  readonly strategy: KeyStrategy;
  /** What keys were used for until now. */
  readonly known: ReadonlyMap<number, KeyLoad>;
}

/** A channel that has several keys, and what each of them is used for. */
export function withKeys(channel: RelayChannel, { keys, strategy, known }: Given): RelayChannel {
  const begun = leastBegun(keys, known);
  const keyed = ({ id, weight, key }: OpenKey): RelayKey => ({
    id,
    weight: Math.max(1, weight),
    channel: { ...channel, key, keyId: id },
    load: known.get(id) ?? { turn: 0, underWay: 0, begun: begun * weight },
  });
  const [first, ...others] = keys;
  return { ...channel, keys: { strategy, all: [keyed(first), ...others.map(keyed)] } };
}

/** A new key begins where the least used one stands, or it would get all requests until it had caught up. */
function leastBegun(keys: readonly OpenKey[], known: ReadonlyMap<number, KeyLoad>): number {
  const shares = keys.flatMap(({ id, weight }) => {
    const load = known.get(id);
    return load ? [load.begun / weight] : [];
  });
  return shares.length === 0 ? 0 : Math.min(...shares);
}

/** What all keys of these channels were used for: of those that are gone it is forgotten. */
export const loadsOf = (channels: Iterable<RelayChannel>): ReadonlyMap<number, KeyLoad> =>
  new Map([...channels].flatMap(({ keys }) => keys?.all.map(({ id, load }) => [id, load] as const) ?? []));
