import type { Account } from './account.ts';

/** What is left of a budget in one of its periods. */
export interface BudgetAccount {
  /** The period's. */
  readonly id: number;
  readonly account: Account;
}

/** The payer of a request: always the user, the token too when it has a limit of its own, and every budget it is under. */
export interface Payer {
  readonly user: Account;
  readonly token: Account | undefined;
  readonly budgets?: readonly BudgetAccount[];
  /** Whether nobody here can tell how much of it may still be spent; absent: it can always be told. */
  readonly isVoid?: () => boolean;
}

/**
 * Whose points are not enough; `held`: they would be, if other requests under way did not hold them; `out_of_touch`:
 * nobody here can tell, and another moment may.
 */
export type Shortage = ('user' | 'token' | 'budget') | ('user_held' | 'token_held' | 'budget_held') | 'out_of_touch';

const noBudgets: readonly BudgetAccount[] = [];

/** What one request may cost, held until it is settled. Settling zero is the refund; there is no other. */
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
   * Holds the points, or all that are free when that is at least `least`. Otherwise says whose are not enough; then
   * nothing is held.
   */
  static open(payer: Payer, points: number, least = points): Reservation | Shortage {
    const held = Math.max(least, Math.min(points, freeOf(payer)));
    const short = holdOf(payer, held);
    if (short === undefined) return new Reservation(payer, held);
    const whose = ownerOf(payer, short);
    return short.balance >= least ? `${whose}_held` : whose;
  }

  /** The budgets that it is held against and charged to: their periods are those of the time when they were held of. */
  get budgets(): readonly BudgetAccount[] {
    return this.#payer.budgets ?? noBudgets;
  }

  /** Whose balances it changes. */
  get accounts(): readonly Account[] {
    return accountsOf(this.#payer);
  }

  get held(): number {
    return this.#held;
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** What the request may come to cost, whatever the balance allows; undefined: nobody says so. */
  limitTo(points: number | undefined): void {
    this.#most = points ?? Number.POSITIVE_INFINITY;
  }

  isBeyondLimit(points: number): boolean {
    return points > this.#most;
  }

  /** What is held, as far as it may be spent. */
  get spendable(): number {
    return Math.min(this.#held, this.#most);
  }

  /** Holds of these budgets from now on, in place of those before; false when one has not enough, and nothing has changed. */
  changeBudgets(budgets: readonly BudgetAccount[]): boolean {
    const before = this.budgets;
    if (this.#isSettled || this.#payer.isVoid?.()) return false;
    const added = budgets.filter((each) => !before.includes(each));
    if (holdBudgets(added, this.#held)) return false;
    for (const each of before) if (!budgets.includes(each)) each.account.release(this.#held);
    this.#payer = { ...this.#payer, budgets };
    return true;
  }

  /** Holds until `points` in all are held; false when the balance does not allow it or is void, or all is settled. */
  extendTo(points: number): boolean {
    if (this.#isSettled || this.isBeyondLimit(points)) return false;
    const more = points - this.#held;
    if (more <= 0) return true;
    if (this.#payer.isVoid?.()) return false;
    if (holdOf(this.#payer, more) !== undefined) return false;
    this.#held = points;
    return true;
  }

  /** Whether the balance would allow it. */
  canExtendTo(points: number): boolean {
    const more = points - this.#held;
    if (this.#isSettled || this.isBeyondLimit(points) || this.#payer.isVoid?.()) return false;
    return accountsOf(this.#payer).every(({ free }) => free >= more);
  }

  /** Whether so much cannot be held for want of a budget, while there is quota. */
  isShortOfBudget(points: number): boolean {
    const more = points - this.#held;
    const { user, token } = this.#payer;
    if (this.#isSettled || user.free < more || (token && token.free < more)) return false;
    return this.budgets.some(({ account }) => account.free < more);
  }

  /** Replaces what is held by the real price. Once: a second call is a fault of the caller. */
  settle(points: number): void {
    if (this.#isSettled) throw new Error('This request is settled already.');
    this.#isSettled = true;
    for (const account of this.accounts) {
      account.release(this.#held);
      account.charge(points);
    }
    this.#held = 0;
  }
}

/** What nobody holds of it, by the payer who has the least. */
export function freeOf({ user, token, budgets = noBudgets }: Payer): number {
  let free = token ? Math.min(user.free, token.free) : user.free;
  for (const { account } of budgets) free = Math.min(free, account.free);
  return free;
}

/** The first that has not enough; then nothing is held. */
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
