import { RelayError } from '@headgate/relay';
import { type Broadcasts, disabledBroadcasts } from '../../platform/broadcasts/broadcasts.ts';
import { clientNetwork } from '../../platform/rate-limits/client-network.ts';
import { GossipCounters } from '../../platform/rate-limits/counters.ts';
import { RateLimiter } from '../../platform/rate-limits/rate-limits.ts';

/** Returns the hashes that belong to existing tokens. */
type FindHashes = (hashes: readonly string[]) => Promise<readonly string[]>;

/** Hashes by which a key may be stored, most likely first. */
type KeyHashes = readonly [string, ...string[]];

/** Unknown keys allowed per address; leaves room for programs that occasionally retry an outdated key. */
const unknownKeyLimit = { most: 60, seconds: 60 } as const;
const maxRemembered = 10_000;
const rememberedMs = 10_000;
/** How long lookups from rate-limited addresses are batched into one read. */
const gatherMs = 100;
const maxGathered = 500;

/**
 * Keys without a token. Guesses are rejected from memory, or after one read that does not wait for charges. An address
 * that guesses too often gets 429, and its lookups are batched. A valid key is accepted from any address.
 */
export class UnknownKeys {
  readonly #find: FindHashes;
  readonly #limiter: RateLimiter;
  /** Expiry per hash, oldest first. */
  readonly #until = new Map<string, number>();
  /** Incremented on every change: results read before a change must not be cached after it. */
  #changes = 0;
  #gathered = newBatch();
  #timer: NodeJS.Timeout | undefined;

  constructor(find: FindHashes, broadcasts: Broadcasts = disabledBroadcasts) {
    this.#find = find;
    const counts = new GossipCounters(broadcasts, 'unknown-keys', unknownKeyLimit.seconds);
    this.#limiter = new RateLimiter(unknownKeyLimit, 'tooManyRequests', counts);
  }

  /** The first of a key's hashes that belongs to a token. Throws if the address tried too many unknown keys. */
  async find(hashes: KeyHashes, address: string): Promise<string | undefined> {
    const network = clientNetwork(address);
    const waitSeconds = await this.#limiter.secondsToWait(network);
    const found = await this.#look(hashes, waitSeconds > 0);
    if (found !== undefined) return found;
    if (waitSeconds > 0) throw tooMany(waitSeconds);
    await this.#limiter.count(network);
    return undefined;
  }

  /** Clears all entries because a token was created or changed. */
  forget(): void {
    this.#changes += 1;
    this.#until.clear();
  }

  async #look(hashes: KeyHashes, isSlowed: boolean): Promise<string | undefined> {
    const [hash] = hashes;
    if ((this.#until.get(hash) ?? 0) > performance.now()) return undefined;
    const before = this.#changes;
    const existing = isSlowed ? await this.#gather(hashes) : new Set(await this.#find(hashes));
    const found = hashes.find((each) => existing.has(each));
    if (found === undefined && before === this.#changes) this.#remember(hash);
    return found;
  }

  #remember(hash: string): void {
    this.#until.delete(hash);
    this.#until.set(hash, performance.now() + rememberedMs);
    const [oldest] = this.#until.keys();
    if (this.#until.size > maxRemembered && oldest !== undefined) this.#until.delete(oldest);
  }

  /** Hashes from all collected lookups that belong to existing tokens. */
  #gather(hashes: KeyHashes): Promise<ReadonlySet<string>> {
    const [hash] = hashes;
    if (!this.#gathered.hashes.has(hash) && this.#gathered.hashes.size >= maxGathered) throw tooMany(1);
    this.#timer ??= setTimeout(() => void this.#respondGathered(), gatherMs);
    for (const each of hashes) this.#gathered.hashes.add(each);
    return this.#gathered.response.promise;
  }

  async #respondGathered(): Promise<void> {
    const { hashes, response } = this.#gathered;
    this.#gathered = newBatch();
    this.#timer = undefined;
    try {
      response.resolve(new Set(await this.#find([...hashes])));
    } catch (error) {
      // A failed read does not prove that the key is unknown, so nothing is cached.
      response.reject(error);
    }
  }
}

interface Batch {
  readonly hashes: Set<string>;
  readonly response: PromiseWithResolvers<ReadonlySet<string>>;
}

const newBatch = (): Batch => ({ hashes: new Set(), response: Promise.withResolvers() });

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
