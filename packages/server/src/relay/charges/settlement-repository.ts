import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import type { OwnerSpend } from './charge-sums.ts';

/**
 * Updates the columns changed by spending, always in the transaction that writes the log rows. Plain SQL, because
 * building statements on this hot path would take longer than running them.
 */
export class SettlementRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): SettlementRepository {
    return new SettlementRepository(transaction.database);
  }

  /** Returns the user's remaining quota. */
  async spendOfUser({ id, quota, planned, unlogged, budgeted, requests }: OwnerSpend): Promise<number> {
    const { rows } = await sql<{ quota: number }>`update users set
      quota = quota - ${quota - planned}, used_quota = used_quota + ${quota}, plan_quota = plan_quota + ${planned}, unlogged_quota = unlogged_quota + ${unlogged},
      budgeted_quota = budgeted_quota + ${budgeted}, request_count = request_count + ${requests} where id = ${id} returning quota`.execute(
      this.#database,
    );
    return rows[0]?.quota ?? 0;
  }

  async spendOfToken({ id, quota, limited }: OwnerSpend, now: number): Promise<void> {
    await sql`update tokens set remain_quota = remain_quota - ${limited}, used_quota = used_quota + ${quota},
      accessed_time = ${now} where id = ${id}`.execute(this.#database);
  }

  async spendOfBudget({ id, quota }: { readonly id: number; readonly quota: number }): Promise<void> {
    await sql`update budget_periods set used = used + ${quota} where id = ${id}`.execute(this.#database);
  }

  async spendOnChannel({ id, quota }: OwnerSpend): Promise<void> {
    await sql`update channels set used_quota = used_quota + ${quota} where id = ${id}`.execute(this.#database);
  }
}
