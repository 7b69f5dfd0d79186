import { formatTag, isNamedBudgetKind, type WindowPeriod } from '@headgate/contract';
import { Account, type BudgetAccount, RelayError } from '@headgate/relay';
import { effectiveTimeZone, windowAt } from '../../accounts/budgets/budget-period.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { ChargeWriter } from '../charges/charge-writer.ts';
import type { BudgetOwner, BudgetPeriodRepository, BudgetPeriodRow } from './budget-period-repository.ts';
import { type PointOwner, pendingShare, remainingShare, type Share, type Shares, updateShare } from './point-holder.ts';

/** This process's share of a budget in one period. In-flight requests still reserve from it after the period ends. */
export interface BudgetHolder extends BudgetAccount {
  facts: BudgetPeriodRow;
  share: Share;
  /** First second after the period. */
  end: number;
}

/** Ids whose budgets apply to a request, 0 for none; and its tags. */
export interface BudgetSubject {
  readonly token: number;
  readonly user: number;
  /** Membership in an organization. */
  readonly member: number;
  readonly project: number;
  readonly tags?: ReadonlyMap<string, string> | undefined;
}

interface BudgetTableDependencies {
  readonly rows: BudgetPeriodRepository;
  readonly writer: Pick<ChargeWriter, 'readBetween'>;
  readonly shares: Shares;
  /** Returns the lease of a period that has ended. */
  readonly giveBack: (owner: PointOwner) => Promise<void>;
  /** Formats points for display. */
  readonly amount: (points: number) => string;
}

const none: readonly BudgetHolder[] = [];

const keyOf = ({ kind, name }: BudgetOwner): string => `${kind}:${name}`;

/** Budgets of cached callers. They are read together with the caller and again whenever they change. */
export class BudgetTable {
  readonly #dependencies: BudgetTableDependencies;
  /** Owners whose budgets were read; most have none. */
  readonly #read = new Map<string, readonly BudgetHolder[]>();
  /** Owners with budgets, by kind and then by id or name, for the request path. */
  readonly #held: Readonly<Record<BudgetOwner['kind'], Map<number | string, readonly BudgetHolder[]>>> = {
    plan: new Map(),
    token: new Map(),
    user: new Map(),
    group: new Map(),
    member: new Map(),
    project: new Map(),
    tag: new Map(),
  };
  readonly #byPeriod = new Map<number, BudgetHolder>();
  /** Holders that accept no new requests; dropped once nothing is reserved or unstored. */
  readonly #retired = new Set<BudgetHolder>();
  readonly #renewing = new Map<string, Promise<void>>();
  #inUse = 0;
  /** Tags whose budgets were read; undefined before the first request. */
  #tags: Promise<readonly BudgetOwner[]> | undefined;

  constructor(dependencies: BudgetTableDependencies) {
    this.#dependencies = dependencies;
  }

  /** Budgets that apply to a request. */
  under(subject: BudgetSubject, group: string): readonly BudgetHolder[] {
    if (this.#inUse === 0) return none;
    const ofTags = this.#ofTags(subject);
    const ofOwners = this.#ofOwners(subject, group);
    return ofTags.length === 0 ? ofOwners : [...ofOwners, ...ofTags];
  }

  #ofTags({ tags }: BudgetSubject): readonly BudgetHolder[] {
    const { tag: byTag } = this.#held;
    if (!tags || byTag.size === 0) return none;
    return [...tags].flatMap((pair) => byTag.get(formatTag(pair)) ?? none);
  }

  #ofOwners({ token, user, member, project }: BudgetSubject, group: string): readonly BudgetHolder[] {
    const ofToken = this.#held.token.get(token) ?? none;
    const ofUser = this.#held.user.get(user) ?? none;
    const ofGroup = this.#held.group.get(group) ?? none;
    if (member + project > 0) {
      const ofMember = this.#held.member.get(member) ?? none;
      const ofProject = this.#held.project.get(project) ?? none;
      return [...ofToken, ...ofMember, ...ofProject, ...ofUser, ...ofGroup];
    }
    // Avoids an allocation: most requests have budgets of one kind only.
    if (ofUser.length + ofGroup.length === 0) return ofToken;
    if (ofToken.length + ofGroup.length === 0) return ofUser;
    return [...ofToken, ...ofUser, ...ofGroup];
  }

  /** Windows of a user's plan. */
  windowsOf(plan: number): readonly BudgetHolder[] {
    return this.#held.plan.get(plan) ?? none;
  }

  /** Error for a request that exceeds the budget. */
  usedUp(budget: BudgetHolder, tokenName: string): RelayError {
    return budgetExhausted(budget, tokenName, this.#dependencies.amount);
  }

  /** Holder of this period, including a retired one with in-flight requests. */
  holder(period: number): BudgetHolder | undefined {
    return this.#byPeriod.get(period);
  }

  *shares(): Iterable<Share> {
    for (const { share } of this.#byPeriod.values()) yield share;
  }

  /** Reads the budgets of owners seen for the first time. Call only while nothing is being stored. */
  async load(owners: readonly BudgetOwner[]): Promise<void> {
    const all = [...owners, ...(await this.#tagOwners())];
    const unread = new Map(all.filter((owner) => !this.#read.has(keyOf(owner))).map((owner) => [keyOf(owner), owner]));
    if (unread.size > 0) await this.#readAll([...unread.values()]);
  }

  /** Reads an owner's budgets again after a change and returns the current ones. */
  refresh(owner: BudgetOwner): Promise<readonly BudgetHolder[]> {
    return this.#dependencies.writer.readBetween(async () => {
      // Owners that are not loaded yet will be read with this change included.
      if (this.#read.has(keyOf(owner)) || owner.kind === 'tag') await this.#readAll([owner]);
      return this.#read.get(keyOf(owner)) ?? none;
    });
  }

  /** Reloads a period, because other nodes may have changed its remaining amount. */
  async refreshPeriod(period: number): Promise<void> {
    const holder = this.#byPeriod.get(period);
    if (!holder) return;
    if (!this.#retired.has(holder)) await this.refresh(ownerOf(holder.facts));
    else await this.#dependencies.writer.readBetween(() => this.#redistribute(holder));
  }

  async refreshAll(): Promise<void> {
    this.#tags = undefined;
    await this.#dependencies.writer.readBetween(() => this.load([]));
    for (const period of [...this.#byPeriod.keys()]) await this.refreshPeriod(period);
    for (const key of [...this.#read.keys()]) await this.refresh(parseBudgetOwner(key));
  }

  /** Starts new periods for budgets whose period has ended. */
  async renew(holders: readonly BudgetHolder[]): Promise<void> {
    const owners = new Map(holders.filter(hasPeriodEnded).map(({ facts }) => [keyOf(ownerOf(facts)), ownerOf(facts)]));
    await Promise.all([...owners].map(([key, owner]) => this.#renewOnce(key, owner)));
  }

  /** Drops the budgets of an owner that is no longer cached. */
  forget(owner: BudgetOwner): void {
    for (const holder of this.#read.get(keyOf(owner)) ?? none) this.#retire(holder);
    this.#read.delete(keyOf(owner));
    this.#held[owner.kind].delete(owner.name);
  }

  /** Owners of tag budgets, all of which are kept, because any request may have any tag. */
  #tagOwners(): Promise<readonly BudgetOwner[]> {
    this.#tags ??= this.#dependencies.rows
      .tags()
      .then((tags) => tags.map((name) => ({ kind: 'tag', name }) as const))
      .catch((error: unknown) => {
        this.#tags = undefined;
        throw error;
      });
    return this.#tags;
  }

  /** Concurrent callers for the same owner share one database read. */
  #renewOnce(key: string, owner: BudgetOwner): Promise<void> {
    const running = this.#renewing.get(key);
    if (running !== undefined) return running;
    const renewing = this.refresh(owner)
      .then(() => undefined)
      .finally(() => this.#renewing.delete(key));
    this.#renewing.set(key, renewing);
    return renewing;
  }

  async #readAll(owners: readonly BudgetOwner[]): Promise<void> {
    const found = await this.#dependencies.rows.of(owners);
    for (const owner of owners) {
      const own = found.filter((facts) => keyOf(ownerOf(facts)) === keyOf(owner));
      const holders: BudgetHolder[] = [];
      for (const facts of own) holders.push(await this.#holderOf(facts));
      this.#replace(owner, holders);
    }
    await this.#forgetRetired();
  }

  #replace(owner: BudgetOwner, holders: readonly BudgetHolder[]): void {
    const key = keyOf(owner);
    const known = this.#read.get(key) ?? none;
    for (const holder of known) if (!holders.includes(holder)) this.#retire(holder);
    this.#inUse += holders.filter((holder) => !known.includes(holder)).length;
    this.#read.set(key, holders);
    if (holders.length > 0) this.#held[owner.kind].set(owner.name, holders);
    else this.#held[owner.kind].delete(owner.name);
  }

  async #holderOf(facts: BudgetPeriodRow): Promise<BudgetHolder> {
    const { id, used, end } = await this.#periodOf(facts);
    const owner: PointOwner = { kind: 'budget', id };
    const left = facts.amount - used;
    // The budget may have been disabled for a while; in-flight requests still reserve from the existing account.
    const known = this.#byPeriod.get(id);
    if (known) {
      this.#retired.delete(known);
      updateShare(known, await this.#dependencies.shares(owner, left, remainingShare(known)));
      return Object.assign(known, { facts, end });
    }
    const share = (await this.#dependencies.shares(owner, left)) ?? pendingShare;
    const holder: BudgetHolder = { id, facts, share, end, account: new Account(share.points) };
    this.#byPeriod.set(id, holder);
    return holder;
  }

  /**
   * The current period, started if necessary. If the clock moves back, the period that already started stays current.
   */
  async #periodOf(facts: BudgetPeriodRow) {
    const { id } = facts;
    const { rows } = this.#dependencies;
    const latest = await rows.latest(id);
    const { start, end } = windowAt(facts, Math.max(nowInSeconds(), latest?.start_time ?? 0));
    if (latest && latest.start_time >= start) return { ...latest, end };
    await rows.begin(id, start);
    const begun = await rows.latest(id);
    if (!begun) throw new Error(`budget ${id} has no period`);
    return { ...begun, end };
  }

  /** Updates this node's share of an ended period, which in-flight requests still use. */
  async #redistribute(holder: BudgetHolder): Promise<void> {
    const stored = holder.account.balance + holder.account.unstored;
    const owner: PointOwner = { kind: 'budget', id: holder.id };
    updateShare(holder, await this.#dependencies.shares(owner, stored, remainingShare(holder)));
  }

  #retire(holder: BudgetHolder): void {
    this.#inUse -= 1;
    this.#retired.add(holder);
  }

  async #forgetRetired(): Promise<void> {
    for (const holder of this.#retired) {
      if (!holder.account.isIdle) continue;
      this.#retired.delete(holder);
      this.#byPeriod.delete(holder.id);
      await this.#dependencies.giveBack({ kind: 'budget', id: holder.id });
    }
  }
}

export const hasPeriodEnded = ({ end }: BudgetHolder): boolean => nowInSeconds() >= end;

const ownerOf = ({ owner_kind: kind, owner_id, owner_group }: BudgetPeriodRow): BudgetOwner => ({
  kind,
  name: isNamedBudgetKind(kind) ? owner_group : owner_id,
});

/** Parses an owner key, as also used in change notifications. */
export function parseBudgetOwner(key: string): BudgetOwner {
  const kind = key.slice(0, key.indexOf(':')) as BudgetOwner['kind'];
  const name = key.slice(key.indexOf(':') + 1);
  return { kind, name: isNamedBudgetKind(kind) ? name : Number(name) };
}

interface UsedUp {
  readonly facts: BudgetPeriodRow;
  readonly end: number;
}

/** Longest Retry-After in seconds; clients that honor the header would otherwise sleep for days. */
const maxRetryAfterLength = 3600;

const names: Readonly<Record<WindowPeriod, string>> = {
  hours: 'rolling window',
  day: 'daily budget',
  week: 'weekly budget',
  month: 'monthly budget',
  all: 'budget',
};

/**
 * Error for a request that exceeds a budget. 429, as OpenAI returns when a project budget is spent: SDKs handle it,
 * and other gateways treat it as a cooldown instead of an invalid key.
 */
function budgetExhausted({ facts, end }: UsedUp, tokenName: string, amount: (points: number) => string): RelayError {
  const whose = {
    token: `token ${tokenName}`,
    user: 'your account',
    group: `group ${facts.owner_group}`,
    tag: `tag ${facts.owner_group}`,
    member: 'your membership in the organization',
    project: 'the project of this token',
    plan: 'your plan',
  }[facts.owner_kind];
  const again = Number.isFinite(end) ? `; it resets on ${moment(end, effectiveTimeZone(facts.time_zone))}` : '';
  const message = `The ${names[facts.period]} of ${whose} (${amount(facts.amount)}) is used up or too small for this request`;
  const error = new RelayError(429, `${message}${again}`, 'budget_exhausted');
  const seconds = end - nowInSeconds();
  if (seconds <= maxRetryAfterLength) error.retryAfter = Math.max(1, seconds);
  return error;
}

const moment = (seconds: number, timeZone: string): string => {
  const day = { year: 'numeric', month: 'long', day: 'numeric' } as const;
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const written = new Intl.DateTimeFormat('en-GB', { ...day, ...time, timeZone }).format(seconds * 1000);
  return `${written} (${timeZone})`;
};
