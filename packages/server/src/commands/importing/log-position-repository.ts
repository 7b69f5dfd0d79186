import type { Database } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

/** How far the logs of a source have been brought. */
export interface LogPosition {
  /** The last log there is to bring. */
  readonly last: number;
  /** The last one that was looked at. */
  readonly done: number;
  /** Since when, in seconds; null before anybody has asked for any. */
  readonly since: number | null;
}

const keyOf = (source: string): string => `import_logs:${source}`;

export class LogPositionRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): LogPositionRepository {
    return new LogPositionRepository(transaction.database);
  }

  /** Users come with what they had used until this log; a later run finds them here, and brings no later log. */
  async begin(source: string, last: number): Promise<void> {
    await this.#database
      .insertInto('meta')
      .values({ key: keyOf(source), value: JSON.stringify({ last, done: 0, since: null } satisfies LogPosition) })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
  }

  async find(source: string): Promise<LogPosition | undefined> {
    const row = await this.#database
      .selectFrom('meta')
      .select('value')
      .where('key', '=', keyOf(source))
      .executeTakeFirst();
    // trusted JSON: written by this program.
    return row && (JSON.parse(row.value) as LogPosition);
  }

  /** False: it is no longer where it was, as somebody else has moved it. */
  async move(source: string, from: LogPosition, to: LogPosition): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('meta')
      .set({ value: JSON.stringify(to) })
      .where('key', '=', keyOf(source))
      .where('value', '=', JSON.stringify(from))
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }
}
