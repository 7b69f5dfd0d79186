import type { BalanceRollupRepository } from './balance-rollup-repository.ts';
import type { Balance, RollupBatch } from './rollup-batch.ts';

interface TotalsRollupDependencies {
  readonly balances: BalanceRollupRepository;
  readonly budgets: { applyBatch(): Promise<RollupBatch & { readonly periods: readonly number[] }> };
  /** Called once when a user's balance was reduced, on the node that applied the change. */
  readonly onSpent: (balance: Balance) => void;
  /** Called when budget periods were charged, on the node that applied the charges. */
  readonly onBudgets: (periods: readonly number[]) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Delay after this node added changes. Readers see pending changes immediately. */
const shortDelayMs = 500;
/** Interval while this node adds no changes, for changes left by other nodes. */
const laterMs = 5000;
/** Number of deleted rows after which the tables are vacuumed. */
const manyDeleted = 5000;

/** Applies pending changes to totals at intervals, and sooner after this node added some. */
export class TotalsRollupService {
  readonly #dependencies: TotalsRollupDependencies;
  #timer: NodeJS.Timeout | undefined;
  #isSoon = false;
  #isClosed = false;
  #deleted = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(dependencies: TotalsRollupDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    this.#schedule(laterMs);
  }

  /** Called after changes were added. */
  added(): void {
    if (this.#isSoon || this.#isClosed) return;
    this.#isSoon = true;
    this.#schedule(shortDelayMs);
  }

  /** Applies all pending changes in batches, unless another node is doing so. */
  async applyAll(): Promise<void> {
    const { balances } = this.#dependencies;
    while (await this.#step(() => this.#applyBalances()));
    while (await this.#step(() => this.#applyBudgets()));
    if (this.#deleted < manyDeleted) return;
    this.#deleted = 0;
    await balances.cleanUp();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
    // On failure, another node or the next start applies the changes.
    await this.applyAll().catch(() => undefined);
  }

  /** Returns true if there may be more changes. */
  async #step(applyBatch: () => Promise<RollupBatch>): Promise<boolean> {
    const { isMine, changes, isMore } = await applyBatch();
    this.#deleted += changes;
    // The other node may have read the changes before the last one was added.
    if (!isMine) this.added();
    return isMine && isMore;
  }

  async #applyBalances(): Promise<RollupBatch> {
    const batch = await this.#dependencies.balances.applyBatch();
    for (const balance of batch.balances) this.#dependencies.onSpent(balance);
    return batch;
  }

  async #applyBudgets(): Promise<RollupBatch> {
    const batch = await this.#dependencies.budgets.applyBatch();
    if (batch.periods.length > 0) this.#dependencies.onBudgets(batch.periods);
    return batch;
  }

  #schedule(afterMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#isSoon = false;
      this.#running = this.#applyNow();
    }, afterMs).unref();
  }

  async #applyNow(): Promise<void> {
    await this.applyAll().catch(this.#dependencies.onFailure);
    if (!this.#isSoon && !this.#isClosed) this.#schedule(laterMs);
  }
}
