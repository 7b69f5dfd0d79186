import type { Account } from './account.ts';

/** Remaining budget in one period. */
export interface BudgetAccount {
  /** Id of the period. */
  readonly id: number;
  readonly account: Account;
}

/** A plan that pays for requests instead of the balance. Its windows are budgets of the payer. */
export interface PayingPlan {
  readonly id: number;
  readonly name: string;
}

/** Payer of a request: the user or a plan, the token if it has a limit, and every budget that applies. */
export interface Payer {
  /** Undefined if a plan is charged. */
  readonly user: Account | undefined;
  readonly plan?: PayingPlan | undefined;
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
  /** Pays for the whole request instead if the payer cannot cover an extension. */
  #fallback: Payer | undefined;
  #held: number;
  #max = Number.POSITIVE_INFINITY;
  #isSettled = false;

  private constructor(payer: Payer, held: number, fallback?: Payer) {
    this.#payer = payer;
    this.#held = held;
    this.#fallback = fallback;
  }

  /**
   * Reserves the points, or all free points if there are at least `least`. Otherwise reserves nothing and returns the
   * balance that is too low. The fallback takes over the whole request if the payer cannot cover an extension.
   */
  static open(payer: Payer, points: number, min = points, fallback?: Payer): Reservation | Shortage {
    const held = Math.max(min, Math.min(points, availablePoints(payer)));
    const short = holdOf(payer, held);
    if (short === undefined) return new Reservation(payer, held, fallback);
    const whose = ownerOf(payer, short);
    return short.balance >= min ? `${whose}_held` : whose;
  }

  /** Budgets that are reserved and charged, in the periods at the time of reserving. */
  get budgets(): readonly BudgetAccount[] {
    return this.#payer.budgets ?? noBudgets;
  }

  get accounts(): readonly Account[] {
    return accountsOf(this.#payer);
  }

  /** The plan that pays; undefined if the user's balance pays. */
  get plan(): PayingPlan | undefined {
    return this.#payer.plan;
  }

  get held(): number {
    return this.#held;
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Cost limit of the request, independent of the balance; undefined if there is none. */
  limitTo(points: number | undefined): void {
    this.#max = points ?? Number.POSITIVE_INFINITY;
  }

  isBeyondLimit(points: number): boolean {
    return points > this.#max;
  }

  /** Reserved points within the cost limit. */
  get spendable(): number {
    return Math.min(this.#held, this.#max);
  }

  /** Moves the reservation to another payer; false, without any change, if one of its balances is too low. */
  changePayer(payer: Payer, fallback?: Payer): boolean {
    if (this.#isSettled || this.#payer.isVoid?.() || !this.#moveTo(payer, this.#held)) return false;
    this.#fallback = fallback;
    return true;
  }

  /** Reserves `points` in total from another payer and releases what only the previous payer has reserved. */
  #moveTo(payer: Payer, points: number): boolean {
    const before = accountsOf(this.#payer);
    const after = accountsOf(payer);
    const missing = (account: Account) => points - (before.includes(account) ? this.#held : 0);
    const short = after.findIndex((account) => missing(account) > 0 && !account.hold(missing(account)));
    if (short !== -1) {
      for (const account of after.slice(0, short)) account.release(missing(account));
      return false;
    }
    for (const account of before) if (!after.includes(account)) account.release(this.#held);
    this.#payer = payer;
    this.#held = points;
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
    if (holdOf(this.#payer, more) !== undefined) return this.#fallBack(points);
    this.#held = points;
    return true;
  }

  #fallBack(points: number): boolean {
    const fallback = this.#fallback;
    if (!fallback || !this.#moveTo(fallback, points)) return false;
    this.#fallback = undefined;
    return true;
  }

  /** True if `extendTo` would succeed. */
  canExtendTo(points: number): boolean {
    const more = points - this.#held;
    if (this.#isSettled || this.isBeyondLimit(points) || this.#payer.isVoid?.()) return false;
    const own = accountsOf(this.#payer);
    if (own.every(({ free }) => free >= more)) return true;
    if (!this.#fallback) return false;
    return accountsOf(this.#fallback).every((account) => account.free >= (own.includes(account) ? more : points));
  }

  /** True if a budget is too low for this many points while the quota is sufficient. */
  isShortOfBudget(points: number): boolean {
    const more = points - this.#held;
    const { user, token } = this.#payer;
    if (this.#isSettled || (user && user.free < more) || (token && token.free < more)) return false;
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
  let free = user ? user.free : Number.MAX_SAFE_INTEGER;
  if (token) free = Math.min(free, token.free);
  for (const { account } of budgets) free = Math.min(free, account.free);
  return free;
}

/** Reserves on every account, or reserves nothing and returns the first account whose balance is too low. */
function holdOf({ user, token, budgets = noBudgets }: Payer, points: number): Account | undefined {
  if (user && !user.hold(points)) return user;
  const short = token && !token.hold(points) ? token : undefined;
  if (!short && budgets.length === 0) return undefined;
  const shortOf = short ?? holdBudgets(budgets, points);
  if (!shortOf) return undefined;
  user?.release(points);
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
  const accounts: Account[] = [];
  if (user) accounts.push(user);
  if (token) accounts.push(token);
  for (const { account } of budgets) accounts.push(account);
  return accounts;
}
