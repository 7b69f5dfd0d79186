/** The current and the previous window are counted: 30 to 60 seconds. */
const windowMs = 30_000;
/** Retries that are always allowed, so that a single request can be retried at low traffic. */
const alwaysAllowed = 20;
const maxBudgets = 1000;

interface Window {
  requests: number;
  retries: number;
}

const empty = (): Window => ({ requests: 0, retries: 0 });

/** Limits retries to a share of the requests, so that an outage of all channels does not multiply the traffic. */
class RetryBudget {
  #began = 0;
  #current = empty();
  #before = empty();

  began(now: number): void {
    this.#turn(now);
    this.#current.requests += 1;
  }

  /** Takes one retry from the budget; false if the budget is used up. */
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

/** One budget per model, so that an outage of one model does not use up the retries of others. */
export class RetryBudgets {
  readonly #budgets = new Map<string, RetryBudget>();
  /** Shared budget for models beyond the limit. */
  readonly #others = new RetryBudget();

  of(model: string): RetryBudget {
    const known = this.#budgets.get(model);
    if (known) return known;
    if (this.#budgets.size >= maxBudgets) return this.#others;
    const budget = new RetryBudget();
    this.#budgets.set(model, budget);
    return budget;
  }
}

export type { RetryBudget };
