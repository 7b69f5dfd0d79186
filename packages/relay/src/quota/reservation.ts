import type { Account } from './account.ts';

/** Remaining budget in one period. */
export interface BudgetAccount {
  /** Id of the period. */
  readonly id: number;
  readonly account: Account;
}

/** Payer of a request: the user, the token if it has a limit, and every budget that applies. */
export interface Payer {
  readonly user: Account;
  readonly token: Account | undefined;
  readonly budgets?: readonly BudgetAccount[];
  /** True if the spendable amount is currently unknown; absent if it is always known. */
  readonly isVoid?: () => boolean;
}

/**
 * The balance that is too low. `held`: in-flight requests have reserved it; `out_of_touch`: it is currently unknown,
 * and a retry may succeed.
 */
export type Shortage = ('user' | 'token' | 'budget') | ('user_held' | 'token_held' | 'budget_held') | 'out_of_touch';

const noBudgets: readonly BudgetAccount[] = [];

/** Maximum cost of one request, reserved until the request is settled. Settling with zero is the only way to refund. */
export class Reservation {
  #payer: Payer;
  #held: number;
  #most = Number.POSITIVE_INFINITY;
  #isSettled = false;

  private constructor(payer: Payer, held: number) {
    this.#payer = payer;
    this.#held = held;
  }

  /**
   * Reserves the points, or all free points if there are at least `least`. Otherwise reserves nothing and returns the
   * balance that is too low.
   */
  static open(payer: Payer, points: number, least = points): Reservation | Shortage {
    const held = Math.max(least, Math.min(points, availablePoints(payer)));
    const short = holdOf(payer, held);
    if (short === undefined) return new Reservation(payer, held);
    const whose = ownerOf(payer, short);
    return short.balance >= least ? `${whose}_held` : whose;
  }

  /** Budgets that are reserved and charged, in the periods at the time of reserving. */
  get budgets(): readonly BudgetAccount[] {
    return this.#payer.budgets ?? noBudgets;
  }

  get accounts(): readonly Account[] {
    return accountsOf(this.#payer);
  }

  get held(): number {
    return this.#held;
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Cost limit of the request, independent of the balance; undefined if there is none. */
  limitTo(points: number | undefined): void {
    this.#most = points ?? Number.POSITIVE_INFINITY;
  }

  isBeyondLimit(points: number): boolean {
    return points > this.#most;
  }

  /** Reserved points within the cost limit. */
  get spendable(): number {
    return Math.min(this.#held, this.#most);
  }

  /** Moves the reservation to these budgets; false, without any change, if one of them is too low. */
  changeBudgets(budgets: readonly BudgetAccount[]): boolean {
    const before = this.budgets;
    if (this.#isSettled || this.#payer.isVoid?.()) return false;
    const added = budgets.filter((each) => !before.includes(each));
    if (holdBudgets(added, this.#held)) return false;
    for (const each of before) if (!budgets.includes(each)) each.account.release(this.#held);
    this.#payer = { ...this.#payer, budgets };
    return true;
  }

  /**
   * Extends the reservation to `points` in total; false if the balance is too low or unknown, or the request is
   * settled.
   */
  extendTo(points: number): boolean {
    if (this.#isSettled || this.isBeyondLimit(points)) return false;
    const more = points - this.#held;
    if (more <= 0) return true;
    if (this.#payer.isVoid?.()) return false;
    if (holdOf(this.#payer, more) !== undefined) return false;
    this.#held = points;
    return true;
  }

  /** True if `extendTo` would succeed. */
  canExtendTo(points: number): boolean {
    const more = points - this.#held;
    if (this.#isSettled || this.isBeyondLimit(points) || this.#payer.isVoid?.()) return false;
    return accountsOf(this.#payer).every(({ free }) => free >= more);
  }

  /** True if a budget is too low for this many points while the quota is sufficient. */
  isShortOfBudget(points: number): boolean {
    const more = points - this.#held;
    const { user, token } = this.#payer;
    if (this.#isSettled || user.free < more || (token && token.free < more)) return false;
    return this.budgets.some(({ account }) => account.free < more);
  }

  /** Replaces the reservation with the actual price. A second call throws. */
  settle(points: number): void {
    if (this.#isSettled) throw new Error('This request is already settled.');
    this.#isSettled = true;
    for (const account of this.accounts) {
      account.release(this.#held);
      account.charge(points);
    }
    this.#held = 0;
  }
}

/** Points that are not reserved: the minimum over user, token and budgets. */
export function availablePoints({ user, token, budgets = noBudgets }: Payer): number {
  let free = token ? Math.min(user.free, token.free) : user.free;
  for (const { account } of budgets) free = Math.min(free, account.free);
  return free;
}

/** Reserves on every account, or reserves nothing and returns the first account whose balance is too low. */
function holdOf({ user, token, budgets = noBudgets }: Payer, points: number): Account | undefined {
  if (!user.hold(points)) return user;
  const short = token && !token.hold(points) ? token : undefined;
  if (!short && budgets.length === 0) return undefined;
  const shortOf = short ?? holdBudgets(budgets, points);
  if (!shortOf) return undefined;
  user.release(points);
  if (token && !short) token.release(points);
  return shortOf;
}

function holdBudgets(budgets: readonly BudgetAccount[], points: number): Account | undefined {
  const short = budgets.findIndex(({ account }) => !account.hold(points));
  if (short === -1) return undefined;
  for (const { account } of budgets.slice(0, short)) account.release(points);
  return budgets[short]?.account;
}

function ownerOf({ user, token }: Payer, account: Account): 'user' | 'token' | 'budget' {
  if (account === user) return 'user';
  return account === token ? 'token' : 'budget';
}

function accountsOf({ user, token, budgets = noBudgets }: Payer): readonly Account[] {
  const accounts = token ? [user, token] : [user];
  for (const { account } of budgets) accounts.push(account);
  return accounts;
}
