import { alertLanguageNames, receiverKindNames } from '@headgate/contract';
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export type ReceiverRow = Selectable<Schema['alert_receivers']>;

/** Alert destinations. Rows of a later version that this one cannot read are skipped. */
export class AlertReceiverRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): AlertReceiverRepository {
    return new AlertReceiverRepository(transaction.database);
  }

  all(): Promise<ReceiverRow[]> {
    return this.#known().orderBy('id').execute();
  }

  find(id: number): Promise<ReceiverRow | undefined> {
    return this.#known().where('id', '=', id).executeTakeFirst();
  }

  insert(row: Insertable<Schema['alert_receivers']>): Promise<ReceiverRow> {
    return this.#database.insertInto('alert_receivers').values(row).returningAll().executeTakeFirstOrThrow();
  }

  /** Undefined when it does not exist. */
  update(id: number, columns: Updateable<Schema['alert_receivers']>): Promise<ReceiverRow | undefined> {
    return this.#database
      .updateTable('alert_receivers')
      .set(columns)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
  }

  async remove(id: number): Promise<void> {
    await this.#database.deleteFrom('alert_receivers').where('id', '=', id).execute();
  }

  #known() {
    return this.#database
      .selectFrom('alert_receivers')
      .selectAll()
      .where('kind', 'in', receiverKindNames)
      .where('language', 'in', alertLanguageNames);
  }
}
