import {
  availablePoints,
  type Caller,
  insufficientQuotaError,
  type Payer,
  type RelayError,
  Reservation,
  type Shortage,
} from '@headgate/relay';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { PayloadCapture } from '../payload-logging/payload-capture.ts';
import { type BudgetHolder, type BudgetSubject, hasPeriodEnded } from './budget-table.ts';
import type { TokenEntry, UsableEntry, UserEntry } from './caller-entry.ts';
import { groupsWithPlans, isValidPlan, type PlanEntry } from './plan-entry.ts';
import type { SharedAccount } from './point-holder.ts';
import type { Credentials } from './token-check.ts';

/** Leases of this node; only present if there are other nodes. */
interface Leases {
  shortageOf(caller: TokenCaller): Shortage | undefined;
  findMore(caller: TokenCaller, points: number, isPaidByPlan: boolean): Promise<void>;
  isLeased(holder: SharedAccount): boolean;
}

/** Finds the budgets that apply to a request and starts new periods. */
interface Budgets {
  under(subject: BudgetSubject, group: string): readonly BudgetHolder[];
  windowsOf(plan: number): readonly BudgetHolder[];
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
  readonly #userPlans: readonly PlanEntry[];
  readonly #budgets: Budgets;
  readonly #subject: BudgetSubject;
  readonly #facts: UsableEntry['facts'];
  readonly #userFacts: UsableEntry['user']['facts'];
  /** Budgets from which the request is or would be reserved; for a plan, with its windows. */
  #under: readonly BudgetHolder[] = [];
  #group = '';
  /** Plans that cover the request. */
  #plans: readonly PlanEntry[] = [];
  /** True once other nodes were asked for points of the plans. */
  #hasSearched = false;
  /**
   * Set once points are reserved from the budgets. The request then stays with these budgets even after their
   * periods end.
   */
  #reservation: Reservation | undefined;
  /** Points without which the request was not admitted. */
  #min = 0;
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
    const groups = groupsWithPlans(user.groups, user.plans, nowInSeconds());
    this.groups = narrowed ? groups.filter((group) => narrowed.has(group)) : groups;
    this.#userGroups = user.groups;
    this.#userPlans = user.plans;
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
    return this.#facts === facts && this.#userFacts === user.facts && this.#isSameAccount(user);
  }

  #isSameAccount(user: UserEntry): boolean {
    return this.#userGroups === user.groups && this.#userPlans === user.plans;
  }

  /** Owners of the budgets that apply. */
  get #spender(): BudgetSubject {
    const { requestTags } = this;
    return requestTags ? { ...this.#subject, tags: requestTags } : this.#subject;
  }

  get isBalanceUnknown(): boolean {
    return this.#leases?.shortageOf(this) === 'out_of_touch';
  }

  /** Of the balance, or of the plan with the most. */
  get free(): number {
    return Math.max(this.#freeOf(), ...this.#freeOfPlans(this.#validPlans()));
  }

  /** Of the first plan that can pay, or else of the balance or the plan with the most. */
  freeFor(group: string, model: string, points: number): number {
    const plans = this.#validPlans();
    if (plans.length === 0) return this.#freeOf();
    const free = this.#freeOfPlans(plans.filter((plan) => plan.covers(model, group)));
    return free.find((room) => room >= points) ?? Math.max(this.#freeOf(), ...free);
  }

  #freeOf(plan?: PlanEntry, windows: readonly BudgetHolder[] = []): number {
    return availablePoints(this.#payer(plan, [...windows, ...this.#budgets.under(this.#spender, '')]));
  }

  #freeOfPlans(plans: readonly PlanEntry[]): readonly number[] {
    return plans.flatMap((plan) => {
      const windows = this.#budgets.windowsOf(plan.id);
      return windows.length > 0 ? [this.#freeOf(plan, windows)] : [];
    });
  }

  #validPlans(): readonly PlanEntry[] {
    if (this.#userPlans.length === 0) return this.#userPlans;
    const now = nowInSeconds();
    return this.#userPlans.filter((plan) => isValidPlan(plan, now));
  }

  /** Budgets from which the request is or would be reserved. */
  get budgets(): readonly BudgetHolder[] {
    return this.#under;
  }

  get findMore(): Caller['findMore'] {
    const hasBudgets = this.#under.length + this.#plans.length > 0;
    return this.#leases || hasBudgets ? (points) => this.#findMore(points) : undefined;
  }

  reserve(points: number, min = points, group = '', model = ''): Reservation | Shortage {
    this.#under = this.#budgets.under(this.#spender, group);
    this.#plans = this.#validPlans().filter((plan) => plan.covers(model, group));
    this.#short = undefined;
    this.#min = min;
    this.#group = group;
    // A period is about to be renewed; the caller retries.
    if (this.#under.some(hasPeriodEnded)) return 'budget_held';
    const planned = this.#plans.length > 0 ? this.#reserveFromPlans(points, min) : undefined;
    return planned ?? this.#reserveFromBalance(points, min);
  }

  #reserveFromBalance(points: number, min: number): Reservation | Shortage {
    const unleased = this.#leases?.shortageOf(this);
    if (unleased !== undefined) return unleased;
    const { entry } = this;
    const reserved = Reservation.open(this.#payer(undefined, this.#under), points, min);
    if (typeof reserved !== 'string') this.#reservation = reserved;
    if (reserved === 'user' && isLeasedByOtherNodes(this.user, min)) return 'user_held';
    if (reserved === 'token' && isLeasedByOtherNodes(entry, min)) return 'token_held';
    return reserved === 'budget' || reserved === 'budget_held' ? this.#shortageOfBudgets(min) : reserved;
  }

  /**
   * Reserves from the first plan whose windows all have room. If a stream later exceeds them, the balance pays for the
   * whole request. Undefined if no plan can pay; a shortage if another attempt may succeed.
   */
  #reserveFromPlans(points: number, min: number): Reservation | Shortage | undefined {
    let mayFindMore = false;
    // Window leases may be renewed before the user, token and budget leases; plans need all of them.
    const hasOthers = this.#leases?.shortageOf(this) === undefined;
    for (const plan of this.#plans) {
      const windows = this.#budgets.windowsOf(plan.id);
      if (windows.length === 0) continue;
      const isLeased = (window: BudgetHolder) => this.#leases?.isLeased(window) ?? true;
      const isReady = hasOthers && windows.every((window) => !hasPeriodEnded(window) && isLeased(window));
      if (isReady) {
        const payer = this.#payer(plan, [...windows, ...this.#under]);
        const reserved = Reservation.open(payer, points, min, this.#payer(undefined, this.#under));
        if (typeof reserved !== 'string') {
          this.#reservation = reserved;
          this.#under = reserved.budgets as readonly BudgetHolder[];
          return reserved;
        }
      }
      const missing = windows.filter(({ account }) => account.free < min);
      // The first attempt reserves by a rough bound; the exact count may fit.
      const mayFit = windows.every(({ account }) => account.free > 0);
      mayFindMore ||= !isReady || mayFit || missing.some((window) => isLeasedByOtherNodes(window, min));
    }
    return mayFindMore && !this.#hasSearched ? 'budget_held' : undefined;
  }

  /**
   * Budgets of the token and the user stay the same. Group budgets change when another group sets the price, and the
   * balance pays if the plan does not cover the model.
   */
  moveToGroup(group: string, reservation: Reservation, model: string): boolean | Promise<boolean> {
    const { plan } = reservation;
    const stays = plan === undefined || this.#plans.some((each) => each.id === plan.id && each.covers(model, group));
    if (stays && group === this.#group) return true;
    const next = this.#ofGroup(group);
    if (stays && next.length + this.#ofGroup(this.#group).length === 0) {
      this.#group = group;
      return true;
    }
    return this.#changeGroup(group, reservation, stays ? plan : undefined);
  }

  async #changeGroup(group: string, reservation: Reservation, plan: Reservation['plan']): Promise<boolean> {
    const before = { under: this.#under, group: this.#group };
    await this.#budgets.renew(this.#ofGroup(group));
    const kept = this.#under.filter((each) => !isOfGroup(each) && (plan !== undefined || !isWindow(each)));
    this.#under = [...kept, ...this.#ofGroup(group)];
    this.#group = group;
    const change = () => reservation.changePayer(this.#payer(plan, this.#under), this.#fallbackOf(plan));
    if (change()) return true;
    await this.#leases?.findMore(this, reservation.held, plan !== undefined);
    if (change()) return true;
    this.#under = before.under;
    this.#group = before.group;
    return false;
  }

  #fallbackOf(plan: Reservation['plan']): Payer | undefined {
    const budgets = this.#under.filter((each) => !isWindow(each));
    return plan && this.#payer(undefined, budgets);
  }

  #ofGroup(group: string): readonly BudgetHolder[] {
    return this.#budgets.under(this.#spender, group).filter(isOfGroup);
  }

  explain(shortage: Shortage): RelayError | undefined {
    const short = shortage === 'user' ? this.#shortWindow() : this.#short;
    return (shortage === 'budget' || shortage === 'user') && short
      ? this.#budgets.usedUp(short, this.tokenName)
      : undefined;
  }

  /** The last window to reset of those that prevent the first plan from paying. */
  #shortWindow(): BudgetHolder | undefined {
    const [plan] = this.#plans;
    const windows = plan ? this.#budgets.windowsOf(plan.id) : [];
    const tooSmall = windows.filter(({ account }) => account.free < this.#min);
    return tooSmall.toSorted((one, other) => other.end - one.end)[0] ?? windows[0];
  }

  #payer(plan: Payer['plan'], budgets: readonly BudgetHolder[]): Payer {
    const { account } = this.entry;
    return {
      user: plan ? undefined : this.user.account,
      plan,
      token: this.isTokenLimited ? account : undefined,
      budgets,
      ...(this.#leases && { isVoid: () => this.isBalanceUnknown }),
    };
  }

  /** An exhausted budget takes precedence over one that is only reserved. */
  #shortageOfBudgets(min: number): Shortage {
    this.#short = this.#under.find((each) => each.account.balance < min && !isLeasedByOtherNodes(each, min));
    return this.#short ? 'budget' : 'budget_held';
  }

  /** Requests points of the plans first, and of the balance only if those do not suffice. */
  async #findMore(points: number): Promise<void> {
    const isReserved = this.#reservation !== undefined;
    const plans = isReserved ? [] : this.#plans;
    const isPaidByPlan = this.#reservation?.plan !== undefined;
    if (!isReserved) {
      const windows = plans.flatMap(({ id }) => this.#budgets.windowsOf(id));
      await this.#budgets.renew([...this.#under, ...windows]);
      this.#under = this.#budgets.under(this.#spender, this.#group);
    }
    this.#hasSearched = true;
    const plain = this.#under;
    for (const plan of plans) {
      this.#under = [...this.#budgets.windowsOf(plan.id), ...plain];
      await this.#leases?.findMore(this, points, true);
      const hasRoom = availablePoints(this.#payer(plan, this.#under)) >= points;
      this.#under = plain;
      if (hasRoom) return;
    }
    await this.#leases?.findMore(this, points, isPaidByPlan);
    // The balance pays for the whole request if the plan cannot.
    const reserved = this.#reservation;
    if (reserved && isPaidByPlan && this.#under.some(({ account }) => account.free < points))
      await this.#leases?.findMore(this, reserved.held + points, false);
  }

  /** Throws if no points are left on any node. Free models need no quota. */
  requireQuota(): void {
    const { account, share } = this.user;
    if (this.#leases?.shortageOf(this) !== undefined) return;
    if (account.free > 0 || share.elsewhere > 0 || this.#hasPlanQuota()) return;
    throw insufficientQuotaError(account.balance > 0 ? 'user_held' : 'user');
  }

  #hasPlanQuota(): boolean {
    const hasRoom = (window: BudgetHolder) =>
      hasPeriodEnded(window) || window.account.free > 0 || window.share.elsewhere > 0;
    return this.#validPlans().some(({ id }) => {
      const windows = this.#budgets.windowsOf(id);
      return windows.length > 0 && windows.every(hasRoom);
    });
  }
}

const isWindow = ({ facts }: BudgetHolder): boolean => facts.owner_kind === 'plan';

const isOfGroup = ({ facts }: BudgetHolder): boolean => facts.owner_kind === 'group';

/** True if other nodes hold points that they did not release because they are reserved there. */
const isLeasedByOtherNodes = ({ account, share }: SharedAccount, points: number): boolean =>
  share.elsewhere > 0 && account.balance + share.elsewhere >= points;
