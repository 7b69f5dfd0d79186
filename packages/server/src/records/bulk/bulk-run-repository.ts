import type { Insertable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export class BulkRunRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): BulkRunRepository {
    return new BulkRunRepository(transaction.database);
  }

  async insert(run: Insertable<Schema['bulk_runs']>): Promise<void> {
    await this.#database.insertInto('bulk_runs').values(run).execute();
  }

  async removeBefore(time: number): Promise<void> {
    await this.#database.deleteFrom('bulk_runs').where('created_time', '<', time).execute();
  }

  /** Deletes all runs except the newest ones. */
  async removeOlder(subject: string, kept: number): Promise<void> {
    const ofSubject = this.#database.selectFrom('bulk_runs').select('id').where('subject', '=', subject);
    const older = await ofSubject.orderBy('created_time', 'desc').orderBy('id').offset(kept).limit(1000).execute();
    if (older.length === 0) return;
    const ids = older.map(({ id }) => id);
    await this.#database.deleteFrom('bulk_runs').where('id', 'in', ids).execute();
  }

  /** Deletes a run created since that time and returns its rows. */
  async take(subject: string, id: string, since: number): Promise<string | undefined> {
    const run = await this.#database
      .deleteFrom('bulk_runs')
      .where('id', '=', id)
      .where('subject', '=', subject)
      .where('created_time', '>=', since)
      .returning('rows')
      .executeTakeFirst();
    return run?.rows;
  }
}
