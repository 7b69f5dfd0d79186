import {
  availablePoints,
  type Caller,
  insufficientQuotaError,
  type Payer,
  type RelayError,
  Reservation,
  type Shortage,
} from '@headgate/relay';
import type { PayloadCapture } from '../payload-logging/payload-capture.ts';
import { type BudgetHolder, type BudgetSubject, hasPeriodEnded } from './budget-table.ts';
import type { TokenEntry, UsableEntry, UserEntry } from './caller-entry.ts';
import type { SharedAccount } from './point-holder.ts';
import type { Credentials } from './token-check.ts';

/** Leases of this node; only present if there are other nodes. */
interface Leases {
  shortageOf(caller: TokenCaller): Shortage | undefined;
  findMore(caller: TokenCaller, points: number): Promise<void>;
}

/** Finds the budgets that apply to a request and starts new periods. */
interface Budgets {
  under(subject: BudgetSubject, group: string): readonly BudgetHolder[];
  renew(holders: readonly BudgetHolder[]): Promise<void>;
  /** Error for a request that exceeds the budget. */
  usedUp(budget: BudgetHolder, tokenName: string): RelayError;
}

/** Other components that limit spending. */
interface SpendingLimits {
  readonly leases: Leases | undefined;
  readonly budgets: Budgets;
}

/** The caller of a request: a token and its user as of the request's arrival. */
export class TokenCaller implements Caller {
  readonly credentials: Credentials;
  readonly entry: TokenEntry;
  /** The account that pays. A token can be moved to another account, which then pays for later requests. */
  readonly user: UserEntry;
  readonly userId: number;
  readonly username: string;
  readonly tokenId: number;
  readonly tokenName: string;
  readonly groups: readonly string[];
  readonly pinnedChannel: number | undefined;
  readonly isTokenLimited: boolean;
  /** Set only if the request's payloads are logged. */
  capture: PayloadCapture | undefined;
  /** Tags of the request as JSON; undefined without any. */
  tags: string | undefined;
  /** Tags to which limits and budgets apply. Fixed tags apply even to requests that are not tagged. */
  requestTags: ReadonlyMap<string, string> | undefined;
  /** Tags that the gateway sets, as members of a JSON object; empty without any. */
  readonly #systemTags: string;
  readonly #leases: Leases | undefined;
  readonly #userGroups: readonly string[];
  readonly #budgets: Budgets;
  readonly #subject: BudgetSubject;
  readonly #facts: UsableEntry['facts'];
  readonly #userFacts: UsableEntry['user']['facts'];
  #under: readonly BudgetHolder[] = [];
  #group = '';
  /**
   * True once points are reserved from the budgets. The request then stays with these budgets even after their
   * periods end.
   */
  #isReserved = false;
  /** The budget that was too small. */
  #short: BudgetHolder | undefined;

  constructor(entry: UsableEntry, credentials: Credentials, { leases, budgets }: SpendingLimits) {
    const { facts, user } = entry;
    this.entry = entry;
    this.user = user;
    this.credentials = credentials;
    this.userId = user.facts.id;
    this.username = user.facts.username;
    this.tokenId = facts.id;
    this.tokenName = facts.name;
    this.#systemTags = entry.systemTags;
    this.requestTags = entry.fixedTags && new Map(Object.entries(entry.fixedTags));
    this.tags = entry.systemTags === '' ? undefined : `{${entry.systemTags}}`;
    const narrowed = entry.groups;
    this.groups = narrowed ? user.groups.filter((group) => narrowed.has(group)) : user.groups;
    this.#userGroups = user.groups;
    this.pinnedChannel = credentials.channel;
    this.isTokenLimited = facts.unlimited_quota === 0;
    this.#leases = leases;
    this.#budgets = budgets;
    this.#subject = {
      token: facts.id,
      user: user.facts.id,
      member: facts.member_id ?? 0,
      project: facts.project_id,
    };
    this.#facts = facts;
    this.#userFacts = user.facts;
  }

  /** Adds the tags of a request; must be called before anything is reserved. */
  setTags(tags: ReadonlyMap<string, string>): void {
    const text = JSON.stringify(Object.fromEntries(tags));
    this.tags = this.#systemTags === '' ? text : `{${this.#systemTags},${text.slice(1)}`;
    this.requestTags = new Map([...(this.requestTags ?? []), ...tags]);
  }

  /** True if the token and its user are unchanged. */
  isUnchanged({ facts, user }: UsableEntry): boolean {
    return this.#facts === facts && this.#userFacts === user.facts && this.#userGroups === user.groups;
  }

  /** Owners of the budgets that apply. */
  get #spender(): BudgetSubject {
    const { requestTags } = this;
    return requestTags ? { ...this.#subject, tags: requestTags } : this.#subject;
  }

  get isBalanceUnknown(): boolean {
    return this.#leases?.shortageOf(this) === 'out_of_touch';
  }

  get free(): number {
    return availablePoints(this.#payer(this.#budgets.under(this.#spender, '')));
  }

  /** Budgets from which the request is or would be reserved. */
  get budgets(): readonly BudgetHolder[] {
    return this.#under;
  }

  get findMore(): Caller['findMore'] {
    return this.#leases || this.#under.length > 0 ? (points) => this.#findMore(points) : undefined;
  }

  reserve(points: number, least = points, group = ''): Reservation | Shortage {
    this.#under = this.#budgets.under(this.#spender, group);
    this.#short = undefined;
    this.#group = group;
    // The period is about to be renewed; the caller retries.
    if (this.#under.length > 0 && this.#under.some(hasPeriodEnded)) return 'budget_held';
    const unleased = this.#leases?.shortageOf(this);
    if (unleased !== undefined) return unleased;
    const { entry } = this;
    const reserved = Reservation.open(this.#payer(this.#under), points, least);
    this.#isReserved = typeof reserved !== 'string';
    if (reserved === 'user' && isHeldByOtherNodes(this.user, least)) return 'user_held';
    if (reserved === 'token' && isHeldByOtherNodes(entry, least)) return 'token_held';
    return reserved === 'budget' || reserved === 'budget_held' ? this.#shortageOfBudgets(least) : reserved;
  }

  /** Budgets of the token and the user stay the same. Group budgets change when another group sets the price. */
  moveToGroup(group: string, reservation: Reservation): boolean | Promise<boolean> {
    if (group === this.#group) return true;
    const next = this.#ofGroup(group);
    if (next.length + this.#ofGroup(this.#group).length === 0) {
      this.#group = group;
      return true;
    }
    return this.#changeGroup(group, reservation);
  }

  async #changeGroup(group: string, reservation: Reservation): Promise<boolean> {
    const before = { under: this.#under, group: this.#group };
    await this.#budgets.renew(this.#ofGroup(group));
    this.#under = [...this.#under.filter((each) => !isOfGroup(each)), ...this.#ofGroup(group)];
    this.#group = group;
    if (reservation.changeBudgets(this.#under)) return true;
    await this.#leases?.findMore(this, reservation.held);
    if (reservation.changeBudgets(this.#under)) return true;
    this.#under = before.under;
    this.#group = before.group;
    return false;
  }

  #ofGroup(group: string): readonly BudgetHolder[] {
    return this.#budgets.under(this.#spender, group).filter(isOfGroup);
  }

  explain(shortage: Shortage): RelayError | undefined {
    return shortage === 'budget' && this.#short ? this.#budgets.usedUp(this.#short, this.tokenName) : undefined;
  }

  #payer(budgets: readonly BudgetHolder[]): Payer {
    const { account } = this.entry;
    return {
      user: this.user.account,
      token: this.isTokenLimited ? account : undefined,
      budgets,
      ...(this.#leases && { isVoid: () => this.isBalanceUnknown }),
    };
  }

  /** An exhausted budget takes precedence over one that is only reserved. */
  #shortageOfBudgets(least: number): Shortage {
    this.#short = this.#under.find((each) => each.account.balance < least && !isHeldByOtherNodes(each, least));
    return this.#short ? 'budget' : 'budget_held';
  }

  async #findMore(points: number): Promise<void> {
    if (!this.#isReserved && this.#under.length > 0) {
      await this.#budgets.renew(this.#under);
      this.#under = this.#budgets.under(this.#spender, this.#group);
    }
    await this.#leases?.findMore(this, points);
  }

  /** Throws if no points are left on any node. Free models need no quota. */
  requireQuota(): void {
    const { account, share } = this.user;
    if (this.#leases?.shortageOf(this) !== undefined) return;
    if (account.free > 0 || share.elsewhere > 0) return;
    throw insufficientQuotaError(account.balance > 0 ? 'user_held' : 'user');
  }
}

const isOfGroup = ({ facts }: BudgetHolder): boolean => facts.owner_kind === 'group';

/** True if other nodes hold points that they did not release because they are reserved there. */
const isHeldByOtherNodes = ({ account, share }: SharedAccount, points: number): boolean =>
  share.elsewhere > 0 && account.balance + share.elsewhere >= points;
