/**
 * A balance kept in memory: a user's quota, or what a limited token may still spend. What is held for running requests
 * is not spendable by others; what was charged but is not yet stored is already gone from it.
 */
export class Account {
  /** What the database will say once everything charged is stored. */
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

  /** No running request and no charge on its way: nothing is lost by forgetting it. */
  get isIdle(): boolean {
    return this.#held === 0 && this.#unstored === 0;
  }

  get held(): number {
    return this.#held;
  }

  /** What nobody holds. */
  get free(): number {
    return this.#balance - this.#held;
  }

  get unstored(): number {
    return this.#unstored;
  }

  /** Checking and holding are one step: nothing else runs in between. What is not a number is not held. */
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

  /** Some of the charges have reached the database. */
  stored(points: number): void {
    this.#unstored -= points;
  }

  /** The database was read anew: it does not know yet what is still to be stored. */
  reload(stored: number): void {
    this.#balance = stored - this.#unstored;
  }
}
