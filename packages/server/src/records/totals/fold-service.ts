import type { BalanceFoldRepository } from './balance-fold-repository.ts';
import type { Balance, Folded } from './folded.ts';

interface FoldServiceDependencies {
  readonly balances: BalanceFoldRepository;
  readonly budgets: { fold(): Promise<Folded & { readonly periods: readonly number[] }> };
  /** A user's balance has fallen; told once, by whichever node folded it. */
  readonly onSpent: (balance: Balance) => void;
  /** Something was charged to these periods of budgets; told by whichever node folded it. */
  readonly onBudgets: (periods: readonly number[]) => void;
  readonly onFailure: (error: unknown) => void;
}

/** After something was added; readers see it at once, wherever it is. */
const soonMs = 500;
/** When nothing was added here: another node may have left something, or be about to. */
const laterMs = 5000;
/** Deleted rows that are worth cleaning up. */
const manyDeleted = 5000;

/** Folds now and then, sooner while this node adds something. */
export class FoldService {
  readonly #dependencies: FoldServiceDependencies;
  #timer: NodeJS.Timeout | undefined;
  #isSoon = false;
  #isClosed = false;
  #deleted = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(dependencies: FoldServiceDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    this.#schedule(laterMs);
  }

  /** Something was added. */
  added(): void {
    if (this.#isSoon || this.#isClosed) return;
    this.#isSoon = true;
    this.#schedule(soonMs);
  }

  /** Folds what is there, in as many steps as it takes, unless another node is at it. */
  async fold(): Promise<void> {
    const { balances } = this.#dependencies;
    while (await this.#step(() => this.#foldBalances()));
    while (await this.#step(() => this.#foldBudgets()));
    if (this.#deleted < manyDeleted) return;
    this.#deleted = 0;
    await balances.cleanUp();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
    // Where that fails, another node does it, or the next start.
    await this.fold().catch(() => undefined);
  }

  /** Whether there is more to do. */
  async #step(fold: () => Promise<Folded>): Promise<boolean> {
    const { isMine, changes, isMore } = await fold();
    this.#deleted += changes;
    // Who is at it may have looked before the last was added.
    if (!isMine) this.added();
    return isMine && isMore;
  }

  async #foldBalances(): Promise<Folded> {
    const folded = await this.#dependencies.balances.fold();
    for (const balance of folded.balances) this.#dependencies.onSpent(balance);
    return folded;
  }

  async #foldBudgets(): Promise<Folded> {
    const folded = await this.#dependencies.budgets.fold();
    if (folded.periods.length > 0) this.#dependencies.onBudgets(folded.periods);
    return folded;
  }

  #schedule(afterMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isSoon = false;
      this.#running = this.#foldNow();
    }, afterMs).unref();
  }

  async #foldNow(): Promise<void> {
    await this.fold().catch(this.#dependencies.onFailure);
    if (!this.#isSoon && !this.#isClosed) this.#schedule(laterMs);
  }
}
