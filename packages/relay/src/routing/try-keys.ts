import type { RelayKey, RelayKeys } from '../ports/relay-channel.ts';
import { isKeyStatus } from './choose-key.ts';
import type { Cooldowns } from './cooldowns.ts';

/** Keys of one channel that a request tries at most. */
const mostKeysTried = 5;

interface KeyChoice {
  /** The key to use next, of those that may be taken. */
  key(keys: RelayKeys, mayTake: (key: RelayKey) => boolean): RelayKey | undefined;
}

interface KeysToTry {
  readonly keys: RelayKeys;
  readonly rests: Cooldowns;
  readonly choice: KeyChoice;
  readonly now: number;
}

/**
 * Tries a request with one key of a channel after the other while it is the key that is refused. That is no retry of the
 * request: until a few were refused, nobody knows that the channel fails. Keys that rest are not tried after others, or
 * a provider that is asked too often would be asked even more. Gives the last failure; undefined when one was answered.
 */
export async function tryKeys<Failed extends { readonly status: number }>(
  { keys, rests, choice, now }: KeysToTry,
  attempt: (key: RelayKey) => Promise<Failed | undefined>,
): Promise<Failed | undefined> {
  let tried: Set<number> | undefined;
  const isFree = ({ id }: RelayKey) => !tried?.has(id) && !rests.isCooling(id, now);
  let key = choice.key(keys, isFree) ?? choice.key(keys, () => true);
  let last: Failed | undefined;
  while (key) {
    const { load } = key;
    load.underWay += 1;
    load.begun += 1;
    try {
      last = await attempt(key);
    } finally {
      load.underWay -= 1;
    }
    if (!last || !isKeyStatus(last.status)) return last;
    tried ??= new Set();
    tried.add(key.id);
    key = tried.size < mostKeysTried ? choice.key(keys, isFree) : undefined;
  }
  return last;
}
