/** Counted are the window that runs and the one before: half a minute to a minute. */
const windowMs = 30_000;
/** So many retries are made without asking how much traffic there is: one request alone may always try again. */
const alwaysAllowed = 20;
const mostBudgets = 1000;

interface Window {
  requests: number;
  retries: number;
}

const empty = (): Window => ({ requests: 0, retries: 0 });

/** Retries are a share of the requests, or a failure that meets all channels would multiply the traffic when it hurts most. */
class RetryBudget {
  #began = 0;
  #current = empty();
  #before = empty();

  began(now: number): void {
    this.#turn(now);
    this.#current.requests += 1;
  }

  /** Whether one more may be made, which is counted then. */
  take(now: number, share: number): boolean {
    this.#turn(now);
    const requests = this.#current.requests + this.#before.requests;
    const retries = this.#current.retries + this.#before.retries;
    if (retries + 1 > Math.max(alwaysAllowed, requests * share)) return false;
    this.#current.retries += 1;
    return true;
  }

  #turn(now: number): void {
    const passed = now - this.#began;
    if (passed < windowMs) return;
    this.#before = passed < 2 * windowMs ? this.#current : empty();
    this.#current = empty();
    this.#began = now;
  }
}

/** One for each model: where one fails everywhere, others keep theirs. */
export class RetryBudgets {
  readonly #budgets = new Map<string, RetryBudget>();
  /** Of names beyond those that are kept apart. */
  readonly #others = new RetryBudget();

  of(model: string): RetryBudget {
    const known = this.#budgets.get(model);
    if (known) return known;
    if (this.#budgets.size >= mostBudgets) return this.#others;
    const budget = new RetryBudget();
    this.#budgets.set(model, budget);
    return budget;
  }
}

export type { RetryBudget };
