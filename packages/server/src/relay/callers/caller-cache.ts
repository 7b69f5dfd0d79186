import { BlockList, isIP } from 'node:net';
import { organizationTag, splitCommas } from '@headgate/contract';
import { type Broadcasts, disabledBroadcasts } from '../../platform/broadcasts/broadcasts.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { hashSecret } from '../../platform/secrets/secret-box.ts';
import type { ChargeWriter } from '../charges/charge-writer.ts';
import type { BudgetOwner } from './budget-period-repository.ts';
import type { BudgetTable } from './budget-table.ts';
import type { TokenEntry, UserEntry } from './caller-entry.ts';
import { CallerMemory } from './caller-memory.ts';
import type { CallerRepository, CallerTokenRow, CallerUserRow } from './caller-repository.ts';
import { type PlanEntry, planEntry } from './plan-entry.ts';
import {
  createPointHolder,
  type PointHolder,
  type PointOwner,
  pendingShare,
  type Remainder,
  remainingShare,
  returnedShare,
  type Share,
  type SharedAccount,
  type Shares,
  singleNodeShares,
  updateShare,
} from './point-holder.ts';
import type { Credentials } from './token-check.ts';
import { parseTokenScope, type TokenScope } from './token-scope.ts';
import { UnknownKeys } from './unknown-keys.ts';

interface CallerCacheOptions {
  /** How points are divided between nodes; not divided by default. */
  readonly shares?: Shares | undefined;
  readonly broadcasts?: Broadcasts | undefined;
  /** Undefined when budgets are not used. */
  readonly budgets?: BudgetTable | undefined;
}

type PresentedKey = Omit<Credentials, 'channel'>;

/** In-memory tokens and their users. They are read on the first request and again whenever they change. */
export class CallerCache {
  readonly #rows: CallerRepository;
  readonly #writer: ChargeWriter;
  readonly #shares: Shares;
  readonly #unknown: UnknownKeys;
  readonly #budgets: BudgetTable | undefined;
  readonly #memory = new CallerMemory();
  #hashedKeys: Promise<boolean> | undefined;
  /** Number of tokens that are being read for the first time or leased again. */
  #loading = 0;

  constructor(
    rows: CallerRepository,
    writer: ChargeWriter,
    { shares = singleNodeShares, broadcasts = disabledBroadcasts, budgets }: CallerCacheOptions = {},
  ) {
    this.#rows = rows;
    this.#writer = writer;
    this.#shares = shares;
    this.#budgets = budgets;
    this.#unknown = new UnknownKeys((hashes) => rows.tokenHashes(hashes, nowInSeconds()), broadcasts);
  }

  /** Synchronous for a known key; otherwise reads the database. */
  find(given: PresentedKey, addressOf: () => string): TokenEntry | undefined | Promise<TokenEntry | undefined> {
    const entry = this.#memory.byKey(given.key) ?? this.#byHashOf(given.key);
    if (typeof entry === 'string') return this.#findUnseen(entry, given, addressOf());
    const hasAll = entry.share !== returnedShare && entry.user.share !== returnedShare;
    return hasAll ? entry : this.#read(entry.keyHash);
  }

  /** Finds a token by its id, for a caller that was authenticated in another way. */
  findById(id: number): TokenEntry | undefined | Promise<TokenEntry | undefined> {
    const entry = this.#memory.tokens.get(id);
    const hasAll = entry && entry.share !== returnedShare && entry.user.share !== returnedShare;
    return hasAll ? entry : this.#readById(id);
  }

  async #readById(id: number): Promise<TokenEntry | undefined> {
    const row = await this.#rows.token(id);
    return row && this.#read(row.key_hash);
  }

  /** Returns the hash if no cached token has this key. */
  #byHashOf(key: string): TokenEntry | string {
    const keyHash = hashSecret(key);
    const entry = this.#memory.byHash(keyHash);
    if (!entry) return keyHash;
    if (entry.keyHash === keyHash) this.#memory.addKey(key, entry);
    // A rotated key is always looked up by its hash because it expires.
    else if ((entry.facts?.old_key_until ?? 0) <= nowInSeconds()) return keyHash;
    return entry;
  }

  /**
   * Checks first whether an uncached token exists, because reading its balance has to wait until pending charges are
   * stored.
   */
  async #findUnseen(keyHash: string, given: PresentedKey, address: string): Promise<TokenEntry | undefined> {
    const { key, presented, isOwnFormat } = given;
    const mayBeImported = presented !== undefined && (await this.#hasHashedKeys());
    if (!isOwnFormat && !mayBeImported) return undefined;
    const hashes = mayBeImported ? ([keyHash, hashSecret(presented)] as const) : ([keyHash] as const);
    const found = await this.#unknown.find(hashes, address);
    if (found === undefined) return undefined;
    if (found === keyHash) return this.#read(keyHash);
    await this.#rows.storeKey(found, key);
    // A key that was rotated before its first use is found by its imported hash until it expires.
    return (await this.#read(keyHash)) ?? this.#read(found);
  }

  /** Read once, and again after a token has changed. */
  #hasHashedKeys(): Promise<boolean> {
    this.#hashedKeys ??= this.#rows.hasHashedKeys().catch((error: unknown) => {
      this.#hashedKeys = undefined;
      throw error;
    });
    return this.#hashedKeys;
  }

  #forgetUnknown(): void {
    this.#unknown.forget();
    this.#hashedKeys = undefined;
  }

  #read(keyHash: string): Promise<TokenEntry | undefined> {
    this.#loading += 1;
    return this.#writer
      .readBetween(() => this.#load(keyHash))
      .finally(() => {
        this.#loading -= 1;
      });
  }

  /** Token and user from the database, including usage, which is not cached. */
  async stored(tokenId: number, userId: number) {
    return { token: await this.#rows.token(tokenId), user: await this.#rows.user(userId) };
  }

  /** Cached holder of an owner's points, if any. */
  holder(owner: PointOwner): SharedAccount | undefined {
    return owner.kind === 'budget' ? this.#budgets?.holder(owner.id) : this.#memory.holder(owner);
  }

  /** True while this process may hold points of an owner that `holder` does not return. */
  get mayHaveUnknown(): boolean {
    return this.#loading > 0;
  }

  /** Cached callers and how long they have been idle. Do not evict any while a read is in progress. */
  get memory(): CallerMemory {
    return this.#memory;
  }

  /** Reads a cached token or user again after a change. */
  async refresh(kind: PointOwner['kind'], id: number): Promise<void> {
    if (kind === 'budget') return this.#budgets?.refreshPeriod(id);
    if (kind === 'token') this.#forgetUnknown();
    const isKnown = this.#memory.holder({ kind, id }) !== undefined;
    if (kind === 'user') await this.#refreshTokensUsedBy(id);
    // A read in progress may have started before the change, so the row must be read again.
    if (!isKnown && this.#loading === 0) return;
    await this.#writer.readBetween(() => (kind === 'token' ? this.#reloadToken(id) : this.#reloadUser(id)));
  }

  /** Tokens of organizations stop working while their member is banned. */
  async #refreshTokensUsedBy(userId: number): Promise<void> {
    if (this.#loading === 0 && this.#memory.tokensUsedBy(userId).length === 0) return;
    await this.#writer.readBetween(async () => {
      for (const { id } of this.#memory.tokensUsedBy(userId)) await this.#reloadToken(id);
    });
  }

  /** Reads everything again because change notifications may have been missed. */
  async refreshAll(): Promise<void> {
    this.#forgetUnknown();
    for (const id of [...this.#memory.users.keys()]) await this.refresh('user', id);
    for (const id of [...this.#memory.tokens.keys()]) await this.refresh('token', id);
    await this.#budgets?.refreshAll();
  }

  async #load(keyHash: string): Promise<TokenEntry | undefined> {
    const known = this.#memory.byHash(keyHash);
    if (known?.keyHash === keyHash) return this.#leaseAgain(known);
    const facts = await this.#rows.tokenByHash(keyHash, nowInSeconds());
    const same = facts && this.#memory.tokens.get(facts.id);
    if (same) return this.#leaseAgain(await this.#apply(same, facts));
    const user = facts && (await this.#loadUser(facts.user_id));
    if (!facts || !user) return undefined;
    await this.#budgets?.load([...budgetOwnersOfToken(facts), ...budgetOwnersOf(user)]);
    const share = (await this.#shareOfToken(facts)) ?? pendingShare;
    const { id } = facts;
    const hashes = { keyHash: facts.key_hash, oldHash: facts.old_key_hash };
    const entry: TokenEntry = { id, ...hashes, key: undefined, ...readToken(facts), ...createPointHolder(share), user };
    this.#memory.addToken(entry);
    return this.#leaseAgain(entry);
  }

  /** Leases points again that were returned while idle. Change notifications keep all other data current. */
  async #leaseAgain(entry: TokenEntry): Promise<TokenEntry> {
    const { user, facts } = entry;
    await this.#leaseUserAgain(user);
    if (entry.share === returnedShare) updateShare(entry, (facts && (await this.#shareOfToken(facts))) ?? pendingShare);
    return entry;
  }

  async #leaseUserAgain(user: UserEntry): Promise<void> {
    if (user.share !== returnedShare) return;
    const share = await this.#shares({ kind: 'user', id: user.facts.id }, user.facts.quota);
    updateShare(user, share ?? pendingShare);
  }

  async #loadUser(id: number): Promise<UserEntry | undefined> {
    const known = this.#memory.users.get(id);
    if (known) return known;
    const facts = await this.#rows.user(id);
    if (!facts) return undefined;
    const share = (await this.#shares({ kind: 'user', id }, facts.quota)) ?? pendingShare;
    const plans = await this.#plansOf(id);
    const groups = groupsOf(facts);
    const entry: UserEntry = { facts, groups, plans, tokens: 0, ...createPointHolder(share), bodyBytes: 0 };
    this.#memory.addUser(entry);
    return entry;
  }

  /** A user with leased points, who stays cached until the caller decrements `inFlight`. */
  useUser(id: number): Promise<UserEntry | undefined> {
    this.#loading += 1;
    return this.#writer
      .readBetween(async () => {
        const user = await this.#loadUser(id);
        if (!user) return undefined;
        user.inFlight += 1;
        user.wasUsed = true;
        await this.#leaseUserAgain(user);
        return user;
      })
      .finally(() => {
        this.#loading -= 1;
      });
  }

  async #reloadToken(id: number): Promise<void> {
    const entry = this.#memory.tokens.get(id);
    const facts = await this.#rows.token(id);
    if (!entry) return;
    if (!facts) {
      entry.facts = undefined;
      return;
    }
    const share = isReturned(entry) ? undefined : await this.#shareOfToken(facts, remainingShare(entry));
    updateShare(await this.#apply(entry, facts), share);
  }

  /** Applies a new row to a cached token; the account object stays the same. */
  async #apply(entry: TokenEntry, facts: CallerTokenRow): Promise<TokenEntry> {
    const user = await this.#loadUser(facts.user_id);
    // Must be loaded before a request reserves from them.
    await this.#budgets?.load([...budgetOwnersOfToken(facts), ...(user ? budgetOwnersOf(user) : [])]);
    if (user) this.#memory.moveToken(entry, user);
    this.#memory.rehash(entry, facts.key_hash, facts.old_key_hash);
    return Object.assign(entry, readToken(facts));
  }

  async #reloadUser(id: number): Promise<void> {
    const entry = this.#memory.users.get(id);
    const facts = await this.#rows.user(id);
    if (!entry || !facts) return;
    const share = isReturned(entry)
      ? undefined
      : await this.#shares({ kind: 'user', id }, facts.quota, remainingShare(entry));
    const groups = groupsOf(facts);
    const plans = await this.#plansOf(id);
    // Must be loaded before a request is priced for a new group or paid by a new plan.
    await this.#budgets?.load(budgetOwnersOf({ facts, groups, plans }));
    this.#forgetPlans(entry.plans.filter((plan) => !plans.some((each) => each.id === plan.id)));
    entry.facts = facts;
    entry.groups = groups;
    entry.plans = plans;
    updateShare(entry, share);
  }

  async #plansOf(userId: number): Promise<readonly PlanEntry[]> {
    return (await this.#rows.plans(userId, nowInSeconds())).map(planEntry);
  }

  /** In-flight requests still reserve from the windows of a removed plan. */
  #forgetPlans(plans: readonly PlanEntry[]): void {
    for (const { id } of plans) this.#budgets?.forget({ kind: 'plan', name: id });
  }

  /** Returns undefined for unlimited tokens, which have no points to divide. */
  #shareOfToken({ id, remain_quota, unlimited_quota }: CallerTokenRow, left?: Remainder): Promise<Share | undefined> {
    const shares = unlimited_quota === 0 ? this.#shares : singleNodeShares;
    return shares({ kind: 'token', id }, remain_quota, left);
  }

  /** Call only while nothing is being read. */
  forget({ kind, id }: PointOwner): void {
    const plans = kind === 'user' ? (this.#memory.users.get(id)?.plans ?? []) : [];
    this.#memory.forget({ kind, id });
    if (kind === 'user' && !this.#memory.users.has(id)) this.#forgetPlans(plans);
    if (kind !== 'budget' && !this.#memory.holder({ kind, id })) this.#budgets?.forget({ kind, name: id });
  }
}

/** True if the lease was returned and no request needs it. */
const isReturned = ({ share, inFlight }: PointHolder): boolean => share === returnedShare && inFlight === 0;

function readToken(facts: CallerTokenRow): Pick<TokenEntry, 'facts' | 'admits' | 'systemTags'> & TokenScope {
  return {
    facts,
    systemTags: organizationTags(facts),
    ...parseTokenScope(facts),
    admits: facts.subnet === '' ? undefined : subnetCheck(facts.subnet),
  };
}

/** Tags by which requests of an organization are attributed to members, service accounts and projects. */
function organizationTags({ creator_id, service_account_id, project_id }: CallerTokenRow): string {
  const tags = [
    [organizationTag.member, creator_id],
    [organizationTag.serviceAccount, service_account_id],
    [organizationTag.project, project_id],
  ] as const;
  return tags
    .filter(([, id]) => id !== 0)
    .map(([key, id]) => `"${key}":"${id}"`)
    .join(',');
}

const groupsOf = ({ group }: CallerUserRow): readonly string[] => {
  const groups = splitCommas(group);
  return groups.length > 0 ? groups : ['default'];
};

const budgetOwnersOfToken = ({ id, member_id, project_id }: CallerTokenRow): BudgetOwner[] => [
  { kind: 'token', name: id },
  ...(member_id === null ? [] : [{ kind: 'member', name: member_id } as const]),
  ...(project_id === 0 ? [] : [{ kind: 'project', name: project_id } as const]),
];

const budgetOwnersOf = ({ facts, groups, plans }: Pick<UserEntry, 'facts' | 'groups' | 'plans'>): BudgetOwner[] => [
  { kind: 'user', name: facts.id },
  ...groups.map((name) => ({ kind: 'group', name }) as const),
  ...plans.map(({ id }) => ({ kind: 'plan', name: id }) as const),
  ...plans.filter(({ group }) => group !== '').map(({ group }) => ({ kind: 'group', name: group }) as const),
];

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Unwraps an IPv4-mapped IPv6 address. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');

/** Returns a function that checks whether an address is in one of the networks. */
function subnetCheck(subnets: string): (address: string) => boolean {
  const networks = new BlockList();
  for (const subnet of splitCommas(subnets)) {
    const [address = '', bits] = subnet.split('/');
    if (bits === undefined) networks.addAddress(plain(address), familyOf(plain(address)));
    else networks.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address) => networks.check(plain(address), familyOf(plain(address)));
}
