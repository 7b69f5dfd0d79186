import type { Database } from '../db/database.ts';
import type { Transaction } from '../db/transaction.ts';

const lockKey = 'option_changes';

export class OptionRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): OptionRepository {
    return new OptionRepository(transaction.database);
  }

  all(): Promise<{ key: string; value: string }[]> {
    return this.#database.selectFrom('options').selectAll().execute();
  }

  /** Serializes option changes of all nodes until the transaction ends, because they depend on each other. */
  async lock(): Promise<void> {
    await this.#database
      .insertInto('meta')
      .values({ key: lockKey, value: '' })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: '' }))
      .execute();
  }

  async store(key: string, value: string): Promise<void> {
    await this.#database
      .insertInto('options')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
      .execute();
  }
}
