import { RelayError } from '@headgate/relay';
import { type Broadcasts, disabledBroadcasts } from '../../platform/broadcasts/broadcasts.ts';
import { clientNetwork } from '../../platform/rate-limits/client-network.ts';
import { GossipCounters } from '../../platform/rate-limits/gossip-counters.ts';
import { RateLimiter } from '../../platform/rate-limits/rate-limits.ts';

/** Returns the hashes that belong to existing tokens. */
type FindHashes = (hashes: readonly string[]) => Promise<readonly string[]>;

/** Unknown keys allowed per address. The limit leaves room for programs that retry an outdated key now and then. */
const unknownKeyLimit = { most: 60, seconds: 60 } as const;
const mostRemembered = 10_000;
const rememberedMs = 10_000;
/** How long lookups from rate-limited addresses are batched into one read. */
const gatherMs = 100;
const mostGathered = 500;

/**
 * Keys without a token. Guesses are rejected from memory or after one read that does not wait for charges. An address
 * that guesses too often gets 429 and its lookups are batched. A valid key is accepted from any address.
 */
export class UnknownKeys {
  readonly #find: FindHashes;
  readonly #limiter: RateLimiter;
  /** Expiry per hash, oldest first. */
  readonly #until = new Map<string, number>();
  /** Incremented on every change. Results read before a change must not be cached after it. */
  #changes = 0;
  #gathered = new Map<string, PromiseWithResolvers<boolean>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(find: FindHashes, broadcasts: Broadcasts = disabledBroadcasts) {
    this.#find = find;
    const counts = new GossipCounters(broadcasts, 'unknown-keys', unknownKeyLimit.seconds);
    this.#limiter = new RateLimiter(unknownKeyLimit, 'tooManyRequests', counts);
  }

  /** Returns whether a token with this hash exists. Throws if the address tried too many unknown keys. */
  async exists(hash: string, address: string): Promise<boolean> {
    const network = clientNetwork(address);
    const waitSeconds = await this.#limiter.secondsToWait(network);
    if (await this.#look(hash, waitSeconds > 0)) return true;
    if (waitSeconds > 0) throw tooMany(waitSeconds);
    await this.#limiter.count(network);
    return false;
  }

  /** Clears all entries because a token was created or changed. */
  forget(): void {
    this.#changes += 1;
    this.#until.clear();
  }

  async #look(hash: string, isSlowed: boolean): Promise<boolean> {
    if ((this.#until.get(hash) ?? 0) > performance.now()) return false;
    const before = this.#changes;
    const exists = isSlowed ? await this.#gather(hash) : (await this.#find([hash])).length > 0;
    if (!exists && before === this.#changes) this.#remember(hash);
    return exists;
  }

  #remember(hash: string): void {
    this.#until.delete(hash);
    this.#until.set(hash, performance.now() + rememberedMs);
    const [oldest] = this.#until.keys();
    if (this.#until.size > mostRemembered && oldest !== undefined) this.#until.delete(oldest);
  }

  #gather(hash: string): Promise<boolean> {
    const asked = this.#gathered.get(hash);
    if (asked) return asked.promise;
    if (this.#gathered.size >= mostGathered) throw tooMany(1);
    this.#timer ??= setTimeout(() => void this.#answerGathered(), gatherMs);
    const asking = Promise.withResolvers<boolean>();
    this.#gathered.set(hash, asking);
    return asking.promise;
  }

  async #answerGathered(): Promise<void> {
    const gathered = this.#gathered;
    this.#gathered = new Map();
    this.#timer = undefined;
    try {
      const found = new Set(await this.#find([...gathered.keys()]));
      for (const [hash, { resolve }] of gathered) resolve(found.has(hash));
    } catch (error) {
      // A failed read does not prove that the key is unknown, so nothing is cached.
      for (const { reject } of gathered.values()) reject(error);
    }
  }
}

function tooMany(seconds: number): RelayError {
  const error = new RelayError(
    429,
    'Too many requests with invalid API tokens from your IP address',
    'too_many_invalid_keys',
    'invalid_request_error',
  );
  error.retryAfter = seconds;
  return error;
}
