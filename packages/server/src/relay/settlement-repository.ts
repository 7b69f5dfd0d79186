import type { Database } from '../db/database.ts';
import type { Transaction } from '../transaction.ts';

/** What one owner spent in a batch. */
export interface Spending {
  readonly id: number;
  readonly quota: number;
  readonly requests: number;
}

/** The columns that spending moves; always inside the transaction that writes the log rows. */
export class SettlementRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): SettlementRepository {
    return new SettlementRepository(transaction.database);
  }

  async spendOfUser({ id, quota, requests }: Spending): Promise<void> {
    await this.#database
      .updateTable('users')
      .set((update) => ({
        quota: update('quota', '-', quota),
        used_quota: update('used_quota', '+', quota),
        request_count: update('request_count', '+', requests),
      }))
      .where('id', '=', id)
      .execute();
  }

  async spendOfToken({ id, quota }: Spending, isLimited: boolean, now: number): Promise<void> {
    await this.#database
      .updateTable('tokens')
      .set((update) => ({
        ...(isLimited && { remain_quota: update('remain_quota', '-', quota) }),
        used_quota: update('used_quota', '+', quota),
        accessed_time: now,
      }))
      .where('id', '=', id)
      .execute();
  }

  async spendOnChannel({ id, quota }: Spending): Promise<void> {
    await this.#database
      .updateTable('channels')
      .set((update) => ({ used_quota: update('used_quota', '+', quota) }))
      .where('id', '=', id)
      .execute();
  }
}
