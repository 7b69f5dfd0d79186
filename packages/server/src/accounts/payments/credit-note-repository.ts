import type { Insertable, Selectable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { lockName } from '../../platform/db/locks.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export type CreditNoteRow = Selectable<Schema['credit_notes']>;

export class CreditNoteRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): CreditNoteRepository {
    return new CreditNoteRepository(transaction.database);
  }

  async insert(row: Insertable<Schema['credit_notes']>): Promise<void> {
    await this.#database.insertInto('credit_notes').values(row).execute();
  }

  /** Oldest first. */
  ofOrders(orderIds: readonly number[]): Promise<CreditNoteRow[]> {
    return this.#database
      .selectFrom('credit_notes')
      .selectAll()
      .where('order_id', 'in', orderIds)
      .orderBy('id')
      .execute();
  }

  /** The number after the last credit note with a prefix. Concurrent calls wait until the transaction ends. */
  async nextNumber(prefix: string): Promise<number> {
    await lockName(this.#database, 'credit note numbers');
    const { last } = await this.#database
      .selectFrom('credit_notes')
      .select(({ fn }) => fn.max('seq').as('last'))
      .where('prefix', '=', prefix)
      .executeTakeFirstOrThrow();
    return Number(last ?? 0) + 1;
  }
}
