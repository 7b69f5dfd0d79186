import type { RelayKey, RelayKeys } from '../ports/relay-channel.ts';
import { isKeyStatus } from './choose-key.ts';
import type { Cooldowns } from './cooldowns.ts';

/** Maximum number of keys of one channel that a request tries. */
const maxKeysTried = 5;

interface KeyChoice {
  /** The next key among those allowed. */
  key(keys: RelayKeys, mayTake: (key: RelayKey) => boolean): RelayKey | undefined;
}

interface KeysToTry {
  readonly keys: RelayKeys;
  readonly rests: Cooldowns;
  readonly choice: KeyChoice;
  readonly now: number;
}

/**
 * Tries the keys of a channel in turn while the upstream rejects the key. This does not count as a retry, because one
 * rejected key does not mean that the channel fails. After the first attempt, keys that are cooling down are skipped,
 * to avoid more requests to a provider that rate-limits. Returns the last failure; undefined on success.
 */
export async function attemptEachKey<Failed extends { readonly status: number }>(
  { keys, rests, choice, now }: KeysToTry,
  attempt: (key: RelayKey) => Promise<Failed | undefined>,
): Promise<Failed | undefined> {
  let tried: Set<number> | undefined;
  const isFree = ({ id }: RelayKey) => !tried?.has(id) && !rests.isCooling(id, now);
  let key = choice.key(keys, isFree) ?? choice.key(keys, () => true);
  let last: Failed | undefined;
  while (key) {
    const { load } = key;
    load.inFlight += 1;
    load.begun += 1;
    try {
      last = await attempt(key);
    } finally {
      load.inFlight -= 1;
    }
    if (!last || !isKeyStatus(last.status)) return last;
    tried ??= new Set();
    tried.add(key.id);
    key = tried.size < maxKeysTried ? choice.key(keys, isFree) : undefined;
  }
  return last;
}
