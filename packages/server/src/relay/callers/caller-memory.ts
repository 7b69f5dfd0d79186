import type { TokenEntry, UserEntry } from './caller-entry.ts';
import type { PointHolder, PointOwner } from './point-holder.ts';

/** Above this number of tokens, idle tokens are evicted early. */
const manyTokens = 50_000;

interface Remembered {
  readonly owner: PointOwner;
  readonly holder: PointHolder;
}

/** The tokens and users cached in this process. */
export class CallerMemory {
  readonly users = new Map<number, UserEntry>();
  readonly tokens = new Map<number, TokenEntry>();
  readonly #byHash = new Map<string, TokenEntry>();
  /** Saves hashing for keys in use. Only valid keys are added. */
  readonly #byKey = new Map<string, TokenEntry>();
  readonly #userRounds = new Rounds(this.users);
  readonly #tokenRounds = new Rounds(this.tokens);

  get isFull(): boolean {
    return this.tokens.size > manyTokens;
  }

  byKey(key: string): TokenEntry | undefined {
    return this.#byKey.get(key);
  }

  byHash(keyHash: string): TokenEntry | undefined {
    return this.#byHash.get(keyHash);
  }

  holder({ kind, id }: PointOwner): PointHolder | undefined {
    if (kind === 'budget') return undefined;
    return kind === 'user' ? this.users.get(id) : this.tokens.get(id);
  }

  *holders(): Iterable<PointHolder> {
    yield* this.users.values();
    yield* this.tokens.values();
  }

  /** Returns up to `most` tokens and users, continuing after the ones returned by the previous call. */
  next(max: number): readonly Remembered[] {
    return [
      ...this.#tokenRounds.next(max).map(([id, holder]) => ({ owner: { kind: 'token', id } as const, holder })),
      ...this.#userRounds.next(max).map(([id, holder]) => ({ owner: { kind: 'user', id } as const, holder })),
    ];
  }

  /** Tokens that a member uses in organizations. */
  tokensUsedBy(userId: number): readonly TokenEntry[] {
    return [...this.tokens.values()].filter(({ facts }) => facts?.creator_id === userId);
  }

  addUser(user: UserEntry): void {
    this.users.set(user.facts.id, user);
  }

  addToken(entry: TokenEntry): void {
    this.tokens.set(entry.id, entry);
    this.#addHashes(entry);
    entry.user.tokens += 1;
  }

  /** Requests that have already arrived are still charged to the previous account. */
  moveToken(entry: TokenEntry, user: UserEntry): void {
    if (entry.user === user) return;
    entry.user.tokens -= 1;
    entry.user = user;
    user.tokens += 1;
  }

  /** Replaces the key hashes of a token; the previous keys stop working. */
  rehash(entry: TokenEntry, keyHash: string, oldHash: string): void {
    if (entry.keyHash === keyHash && entry.oldHash === oldHash) return;
    this.#removeKeys(entry);
    entry.keyHash = keyHash;
    entry.oldHash = oldHash;
    entry.key = undefined;
    this.#addHashes(entry);
  }

  #addHashes(entry: TokenEntry): void {
    this.#byHash.set(entry.keyHash, entry);
    if (entry.oldHash !== '') this.#byHash.set(entry.oldHash, entry);
  }

  #removeKeys({ keyHash, oldHash, key }: TokenEntry): void {
    this.#byHash.delete(keyHash);
    this.#byHash.delete(oldHash);
    if (key !== undefined) this.#byKey.delete(key);
  }

  addKey(key: string, entry: TokenEntry): void {
    entry.key = key;
    this.#byKey.set(key, entry);
  }

  /**
   * A request may still reference a forgotten entry, which must not be charged. A user stays cached for as long as one
   * of its tokens does.
   */
  forget({ kind, id }: PointOwner): void {
    const user = kind === 'user' ? this.users.get(id) : undefined;
    if (user && user.tokens === 0) {
      user.isForgotten = true;
      this.users.delete(id);
    }
    const token = kind === 'token' ? this.tokens.get(id) : undefined;
    if (token) this.#forgetToken(token);
  }

  #forgetToken(token: TokenEntry): void {
    token.isForgotten = true;
    token.user.tokens -= 1;
    this.tokens.delete(token.id);
    this.#removeKeys(token);
  }
}

/** Iterates over a map in batches. Entries may be added and removed between batches. */
class Rounds<K, V> {
  readonly #map: ReadonlyMap<K, V>;
  #round: Iterator<[K, V]>;

  constructor(map: ReadonlyMap<K, V>) {
    this.#map = map;
    this.#round = map.entries();
  }

  /** Returns up to this many entries; fewer at the end of a round. */
  next(max: number): readonly [K, V][] {
    const entries: [K, V][] = [];
    while (entries.length < max) {
      const { done, value } = this.#round.next();
      if (done) {
        this.#round = this.#map.entries();
        break;
      }
      entries.push(value);
    }
    return entries;
  }
}
