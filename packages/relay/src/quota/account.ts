/**
 * In-memory balance of a user's quota or a limited token. Points reserved for in-flight requests are not available to
 * others; charges that are not stored yet are already deducted.
 */
export class Account {
  /** Balance in the database once all charges are stored. */
  #balance: number;
  #held = 0;
  /** Charged here, not yet in the database. */
  #unstored = 0;

  constructor(stored: number) {
    this.#balance = stored;
  }

  get balance(): number {
    return this.#balance;
  }

  /** True without in-flight requests and pending charges, so that the account can be evicted. */
  get isIdle(): boolean {
    return this.#held === 0 && this.#unstored === 0;
  }

  get held(): number {
    return this.#held;
  }

  /** Points that are not reserved. */
  get free(): number {
    return this.#balance - this.#held;
  }

  get unstored(): number {
    return this.#unstored;
  }

  /** Checks and reserves in one synchronous step. Rejects NaN. */
  hold(points: number): boolean {
    if (!(this.#balance - this.#held >= points)) return false;
    this.#held += points;
    return true;
  }

  release(points: number): void {
    this.#held -= points;
  }

  charge(points: number): void {
    this.#balance -= points;
    this.#unstored += points;
  }

  /** Records that some of the charges were stored. */
  stored(points: number): void {
    this.#unstored -= points;
  }

  /** Sets the balance read from the database, which does not include charges that are not stored yet. */
  reload(stored: number): void {
    this.#balance = stored - this.#unstored;
  }
}
