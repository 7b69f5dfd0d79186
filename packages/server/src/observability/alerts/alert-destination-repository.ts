import { alertLanguageNames, destinationKindNames } from '@headgate/contract';
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export type DestinationRow = Selectable<Schema['alert_receivers']>;

/** Alert destinations. Rows of a later version that this one cannot read are skipped. */
export class AlertDestinationRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): AlertDestinationRepository {
    return new AlertDestinationRepository(transaction.database);
  }

  all(): Promise<DestinationRow[]> {
    return this.#known().orderBy('id').execute();
  }

  find(id: number): Promise<DestinationRow | undefined> {
    return this.#known().where('id', '=', id).executeTakeFirst();
  }

  insert(row: Insertable<Schema['alert_receivers']>): Promise<DestinationRow> {
    return this.#database.insertInto('alert_receivers').values(row).returningAll().executeTakeFirstOrThrow();
  }

  /** Undefined when it does not exist. */
  update(id: number, columns: Updateable<Schema['alert_receivers']>): Promise<DestinationRow | undefined> {
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
      .where('kind', 'in', destinationKindNames)
      .where('language', 'in', alertLanguageNames);
  }
}
