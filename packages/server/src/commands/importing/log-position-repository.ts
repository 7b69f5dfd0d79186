import type { LogId } from '@headgate/importer';
import type { Database } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

/** Progress of the log import of a source. */
export interface LogPosition {
  /** Id of the last log to import. */
  readonly last: LogId;
  /** Id of the last log that was read. */
  readonly done: LogId;
  /** Time of the first log, in seconds; null before any were requested. */
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

  /** Users are imported with their usage up to this log, so a later run imports no later log. */
  async begin(source: string, last: LogId): Promise<void> {
    const value = startAt(last);
    await this.#database
      .insertInto('meta')
      .values({ key: keyOf(source), value })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
    // Position written by a version that did not read LiteLLM's logs.
    if (typeof last === 'string') await this.#replace(source, startAt(0), value);
  }

  async #replace(source: string, from: string, to: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('meta')
      .set({ value: to })
      .where('key', '=', keyOf(source))
      .where('value', '=', from)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
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

  /** False if another import has moved it. */
  move(source: string, from: LogPosition, to: LogPosition): Promise<boolean> {
    return this.#replace(source, JSON.stringify(from), JSON.stringify(to));
  }
}

const startAt = (last: LogId): string => JSON.stringify({ last, done: 0, since: null } satisfies LogPosition);
