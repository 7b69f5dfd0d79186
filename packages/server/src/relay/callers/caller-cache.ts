import { splitCommas } from '@headgate/contract';
import { Account } from '@headgate/relay';
import type { BodyOwner } from '../../bodies/body-budget.ts';
import { type Broadcasts, noBroadcasts } from '../../broadcasts/broadcasts.ts';
import { hashSecret } from '../../secrets/secret-box.ts';
import type { ChargeWriter } from '../charges/charge-writer.ts';
import type { CallerRepository, TokenFacts, UserFacts } from './caller-repository.ts';
import { type Owner, type Remainder, type Share, type Shares, undivided, unknownShare } from './share.ts';
import { pointsAfterLease } from './share-rules.ts';
import { subnetCheck } from './subnet-check.ts';
import { UnknownKeys } from './unknown-keys.ts';

/** A user as the relay remembers him. Replaced facts, the same account: running requests hold points of it. */
export interface UserEntry extends BodyOwner {
  facts: UserFacts;
  groups: readonly string[];
  share: Share;
  /** Requests of his that are not settled yet. */
  underWay: number;
  readonly account: Account;
}

export interface TokenEntry {
  /** Undefined once it was deleted. */
  facts: TokenFacts | undefined;
  models: ReadonlySet<string> | undefined;
  /** Undefined: any address. */
  admits: ((address: string) => boolean) | undefined;
  share: Share;
  underWay: number;
  /** What is left of its own limit; unused while it is unlimited. */
  readonly account: Account;
  readonly user: UserEntry;
}

/** One that was not deleted. */
export type UsableEntry = TokenEntry & { readonly facts: TokenFacts };

/** More than this are forgotten, those without a running request first. */
const mostTokens = 50_000;

interface CallerCacheOptions {
  /** How the points of owners are divided between nodes; not at all unless told otherwise. */
  readonly shares?: Shares | undefined;
  readonly broadcasts?: Broadcasts | undefined;
}

/** Tokens and their owners, in memory: read at the first call, and again whenever somebody changes them. */
export class CallerCache {
  readonly #rows: CallerRepository;
  readonly #writer: ChargeWriter;
  readonly #shares: Shares;
  readonly #unknown: UnknownKeys;
  readonly #users = new Map<number, UserEntry>();
  readonly #tokens = new Map<number, TokenEntry>();
  readonly #byHash = new Map<string, TokenEntry>();
  readonly #hashes = new Map<string, string>();
  /** Tokens that are not remembered any more; points of those with a limit may still be leased. */
  readonly #forgotten = new Set<number>();
  /** Tokens that are being read for the first time. */
  #loading = 0;

  constructor(
    rows: CallerRepository,
    writer: ChargeWriter,
    { shares = undivided, broadcasts = noBroadcasts }: CallerCacheOptions = {},
  ) {
    this.#rows = rows;
    this.#writer = writer;
    this.#shares = shares;
    this.#unknown = new UnknownKeys((hashes) => rows.tokenHashes(hashes), broadcasts);
  }

  /** At once for a key that was seen before; else after a look into the database. */
  find(key: string, addressOf: () => string): TokenEntry | undefined | Promise<TokenEntry | undefined> {
    const keyHash = this.#hashes.get(key) ?? this.#hashOf(key);
    return this.#byHash.get(keyHash) ?? this.#findUnseen(keyHash, addressOf());
  }

  /**
   * Looks a token up that is not in memory. Charges must be stored before its balance can be read, which only a token
   * that exists is worth.
   */
  async #findUnseen(keyHash: string, address: string): Promise<TokenEntry | undefined> {
    if (!(await this.#unknown.exists(keyHash, address))) return undefined;
    this.#loading += 1;
    return this.#writer
      .readBetween(() => this.#load(keyHash))
      .finally(() => {
        this.#loading -= 1;
      });
  }

  /** Kept only for keys that are in use: a stranger's guesses fill no memory. */
  #hashOf(key: string): string {
    const hash = hashSecret(key);
    if (!this.#byHash.has(hash)) return hash;
    if (this.#hashes.size >= mostTokens) this.#hashes.clear();
    this.#hashes.set(key, hash);
    return hash;
  }

  /** What the database says of them now, usage included, which memory does not keep. */
  async stored(tokenId: number, userId: number) {
    return { token: await this.#rows.token(tokenId), user: await this.#rows.user(userId) };
  }

  /** Whose points those are, if they are remembered. */
  holder({ kind, id }: Owner): UserEntry | TokenEntry | undefined {
    return kind === 'user' ? this.#users.get(id) : this.#tokens.get(id);
  }

  /** Whether this process may have points of an owner that `holder` does not know of. */
  mayHaveUnknown({ kind, id }: Owner): boolean {
    return this.#loading > 0 || (kind === 'token' && this.#forgotten.has(id));
  }

  /** What this process has of every owner that is remembered. */
  *shares(): Iterable<Share> {
    for (const { share } of this.#users.values()) yield share;
    for (const { share } of this.#tokens.values()) yield share;
  }

  /** Somebody changed a token or a user: what is remembered of it is read again. */
  async refresh(kind: 'token' | 'user', id: number): Promise<void> {
    if (kind === 'token') this.#unknown.forget();
    const isKnown = kind === 'token' ? this.#tokens.has(id) : this.#users.has(id);
    // What is being read may have been read before the change: it is read again after it is known.
    if (!isKnown && this.#loading === 0) return;
    await this.#writer.readBetween(() => (kind === 'token' ? this.#reloadToken(id) : this.#reloadUser(id)));
  }

  /** Changes may have been missed: everything remembered is read again. */
  async refreshAll(): Promise<void> {
    this.#unknown.forget();
    for (const id of [...this.#users.keys()]) await this.refresh('user', id);
    for (const id of [...this.#tokens.keys()]) await this.refresh('token', id);
  }

  async #load(keyHash: string): Promise<TokenEntry | undefined> {
    const known = this.#byHash.get(keyHash);
    if (known) return known;
    const facts = await this.#rows.tokenByHash(keyHash);
    const user = facts && (await this.#loadUser(facts.user_id));
    if (!facts || !user) return undefined;
    const share = (await this.#shareOfToken(facts)) ?? unknownShare;
    const entry: TokenEntry = { ...readToken(facts), share, underWay: 0, account: new Account(share.points), user };
    this.#forgetSome();
    this.#tokens.set(facts.id, entry);
    this.#forgotten.delete(facts.id);
    this.#byHash.set(keyHash, entry);
    return entry;
  }

  async #loadUser(id: number): Promise<UserEntry | undefined> {
    const known = this.#users.get(id);
    if (known) return known;
    const facts = await this.#rows.user(id);
    if (!facts) return undefined;
    const share = (await this.#shares({ kind: 'user', id }, facts.quota)) ?? unknownShare;
    const account = new Account(share.points);
    const entry: UserEntry = { facts, groups: groupsOf(facts), share, account, underWay: 0, bodyBytes: 0 };
    this.#users.set(id, entry);
    return entry;
  }

  async #reloadToken(id: number): Promise<void> {
    const entry = this.#tokens.get(id);
    const facts = await this.#rows.token(id);
    if (!entry) return;
    if (!facts) {
      entry.facts = undefined;
      return;
    }
    const share = await this.#shareOfToken(facts, remainderOf(entry));
    Object.assign(entry, readToken(facts));
    divide(entry, share);
  }

  async #reloadUser(id: number): Promise<void> {
    const entry = this.#users.get(id);
    const facts = await this.#rows.user(id);
    if (!entry || !facts) return;
    const share = await this.#shares({ kind: 'user', id }, facts.quota, remainderOf(entry));
    entry.facts = facts;
    entry.groups = groupsOf(facts);
    divide(entry, share);
  }

  /** One without a limit has nothing to share. */
  #shareOfToken({ id, remain_quota, unlimited_quota }: TokenFacts, left?: Remainder): Promise<Share | undefined> {
    const shares = unlimited_quota === 0 ? this.#shares : undivided;
    return shares({ kind: 'token', id }, remain_quota, left);
  }

  #forgetSome(): void {
    if (this.#tokens.size < mostTokens) return;
    for (const [hash, entry] of this.#byHash) {
      if (!entry.account.isIdle || !entry.user.account.isIdle) continue;
      this.#byHash.delete(hash);
      if (entry.facts) {
        this.#tokens.delete(entry.facts.id);
        if (entry.facts.unlimited_quota === 0) this.#forgotten.add(entry.facts.id);
      }
      if (this.#tokens.size < mostTokens * 0.9) return;
    }
  }
}

/** Without a new share the old one stays: it may be void, but running requests hold points of it. */
function divide(entry: UserEntry | TokenEntry, share: Share | undefined): void {
  if (!share) return;
  const isSameNode = entry.share.node === share.node;
  entry.share = share;
  entry.account.reload(pointsAfterLease(share, entry.account, isSameNode));
}

const remainderOf = ({ account, share }: UserEntry | TokenEntry): Remainder => ({
  points: account.balance + account.unstored,
  node: share.node,
});

function readToken(facts: TokenFacts): Pick<TokenEntry, 'facts' | 'models' | 'admits'> {
  const models = splitCommas(facts.models);
  return {
    facts,
    models: models.length > 0 ? new Set(models) : undefined,
    admits: facts.subnet === '' ? undefined : subnetCheck(facts.subnet),
  };
}

const groupsOf = ({ group }: UserFacts): readonly string[] => {
  const groups = splitCommas(group);
  return groups.length > 0 ? groups : ['default'];
};
