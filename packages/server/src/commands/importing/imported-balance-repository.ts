import type { Database } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

interface ImportedBalance {
  readonly quota: number;
  readonly used_quota: number;
  readonly created_time: number;
}

/** Balances of the accounts of imported organizations. */
export class ImportedBalanceRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): ImportedBalanceRepository {
    return new ImportedBalanceRepository(transaction.database);
  }

  /** Credited quota is the remaining plus the used quota; the usage is unlogged until logs are imported. */
  async set(id: number, { quota, used_quota, created_time }: ImportedBalance): Promise<void> {
    await this.#database
      .updateTable('users')
      .set({ quota, used_quota, credited: quota + used_quota, unlogged_quota: used_quota })
      .where('id', '=', id)
      .execute();
    if (created_time === 0) return;
    for (const table of ['users', 'organizations'] as const) {
      await this.#database.updateTable(table).set({ created_time }).where('id', '=', id).execute();
    }
  }
}
