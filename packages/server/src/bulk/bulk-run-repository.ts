import { randomBytes } from 'node:crypto';
import { nowInSeconds } from '../clock.ts';
import type { Database } from '../db/database.ts';
import type { Transaction } from '../transaction.ts';

/** The columns of one row that were changed. */
export interface UndoRow {
  readonly id: number;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

const keptForSeconds = 86_400;

/** What changes of many rows were before, so that they can be taken back for a day. */
export class BulkRunRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): BulkRunRepository {
    return new BulkRunRepository(transaction.database);
  }

  /** What names it is not to be guessed; empty when there is nothing to take back. */
  async keep(subject: string, rows: readonly UndoRow[]): Promise<string> {
    if (rows.length === 0) return '';
    const now = nowInSeconds();
    const id = randomBytes(16).toString('hex');
    await this.#database
      .deleteFrom('bulk_runs')
      .where('created_time', '<', now - keptForSeconds)
      .execute();
    await this.#database
      .insertInto('bulk_runs')
      .values({ id, subject, created_time: now, rows: JSON.stringify(rows) })
      .execute();
    return id;
  }

  /** Once, and not after its day. */
  async take(subject: string, id: string): Promise<readonly UndoRow[] | undefined> {
    const run = await this.#database
      .deleteFrom('bulk_runs')
      .where('id', '=', id)
      .where('subject', '=', subject)
      .where('created_time', '>=', nowInSeconds() - keptForSeconds)
      .returning('rows')
      .executeTakeFirst();
    return run && (JSON.parse(run.rows) as UndoRow[]);
  }
}
