import { currencyNames } from '@headgate/contract';
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export type PlanRow = Selectable<Schema['plans']>;

/** Plans for sale. */
export class PlanRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): PlanRepository {
    return new PlanRepository(transaction.database);
  }

  /** In the order of the list. Plans with a currency of a later version are left to nodes that support it. */
  all(): Promise<PlanRow[]> {
    return this.#database
      .selectFrom('plans')
      .selectAll()
      .where('currency', 'in', currencyNames)
      .orderBy('sort')
      .orderBy('id')
      .execute();
  }

  find(id: number): Promise<PlanRow | undefined> {
    return this.#database.selectFrom('plans').selectAll().where('id', '=', id).executeTakeFirst();
  }

  findLocked(id: number): Promise<PlanRow | undefined> {
    return this.#database.selectFrom('plans').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  }

  /** Undefined if the name is taken; the transaction must then be rolled back. */
  insert(row: Insertable<Schema['plans']>): Promise<PlanRow | undefined> {
    return unlessTaken(this.#database.insertInto('plans').values(row).returningAll().executeTakeFirstOrThrow());
  }

  /** Undefined if the name is taken; the transaction must then be rolled back. */
  update(id: number, change: Updateable<Schema['plans']>): Promise<PlanRow | undefined> {
    return unlessTaken(
      this.#database.updateTable('plans').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow(),
    );
  }

  /** Plans of users are kept. */
  async remove(id: number): Promise<void> {
    await this.#database.deleteFrom('plans').where('id', '=', id).execute();
  }
}

async function unlessTaken<T>(writing: Promise<T>): Promise<T | undefined> {
  try {
    return await writing;
  } catch (error) {
    if (isUniqueViolation(error)) return undefined;
    throw error;
  }
}
