import type { Account } from './account.ts';

/** The payer of a request: always the user, and the token too when it has a limit of its own. */
export interface Payer {
  readonly user: Account;
  readonly token: Account | undefined;
  /** Whether nobody here can tell how much of it may still be spent; absent: it can always be told. */
  readonly isVoid?: () => boolean;
}

/**
 * Whose points are not enough; `held`: they would be, if other requests under way did not hold them; `out_of_touch`:
 * nobody here can tell, and another moment may.
 */
export type Shortage = 'user' | 'token' | 'user_held' | 'token_held' | 'out_of_touch';

/** What one request may cost, held until it is settled. Settling zero is the refund; there is no other. */
export class Reservation {
  readonly #payer: Payer;
  #held: number;
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
    const { user, token } = payer;
    const free = token ? Math.min(user.free, token.free) : user.free;
    const held = Math.max(least, Math.min(points, free));
    const shortage = holdOf(payer, held);
    if (shortage === undefined) return new Reservation(payer, held);
    const { balance } = shortage === 'token' && token ? token : user;
    return balance >= least ? `${shortage}_held` : shortage;
  }

  get held(): number {
    return this.#held;
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Holds until `points` in all are held; false when the balance does not allow it or is void, or all is settled. */
  extendTo(points: number): boolean {
    if (this.#isSettled) return false;
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
    if (this.#isSettled || this.#payer.isVoid?.()) return false;
    return accountsOf(this.#payer).every(({ free }) => free >= more);
  }

  /** Replaces what is held by the real price. Once: a second call is a fault of the caller. */
  settle(points: number): void {
    if (this.#isSettled) throw new Error('This request is settled already.');
    this.#isSettled = true;
    for (const account of accountsOf(this.#payer)) {
      account.release(this.#held);
      account.charge(points);
    }
    this.#held = 0;
  }
}

function holdOf({ user, token }: Payer, points: number): 'user' | 'token' | undefined {
  if (!user.hold(points)) return 'user';
  if (token && !token.hold(points)) {
    user.release(points);
    return 'token';
  }
  return undefined;
}

const accountsOf = ({ user, token }: Payer): readonly Account[] => (token ? [user, token] : [user]);
