import { logType } from '@headgate/contract';
import { type Insertable, sql } from 'kysely';
import { isPostgres } from '../../platform/db/backend.ts';
import { runCachedStatement, splitIntoBatches } from '../../platform/db/cached-statement.ts';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import { columnInsertThreshold, inferColumns, insertColumns } from '../../platform/db/insert-columns.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { secondsPerDay } from './hours.ts';
import { appendLogValues, logColumns, logValues } from './log-values.ts';

export type NewLog = Insertable<Schema['logs']>;

/** Copies every row, with the same columns in the same order. */
function inOrder(row: NewLog): NewLog {
  const ordered: Partial<Record<keyof NewLog, unknown>> = {};
  for (const column of logColumns) ordered[column] = row[column];
  // Safe cast: every column is copied.
  return ordered as NewLog;
}

export class LogRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): LogRepository {
    return new LogRepository(transaction.database);
  }

  /** The rollups are updated later; see rollup-service.ts. */
  async insert(rows: readonly NewLog[]): Promise<void> {
    if (isPostgres(this.#database) && rows.length >= columnInsertThreshold) await this.#insertMany(rows);
    else await this.#insertFew(rows);
  }

  async #insertFew(rows: readonly NewLog[]): Promise<void> {
    for (const part of splitIntoBatches(rows)) {
      const values: unknown[] = [];
      for (const row of part) appendLogValues(values, row);
      await runCachedStatement(this.#database, `logs ${part.length}`, values, () =>
        this.#database.insertInto('logs').values(part.map(inOrder)),
      );
    }
  }

  async #insertMany(rows: readonly NewLog[]): Promise<void> {
    const values = rows.map(logValues);
    await insertColumns(this.#database, 'logs', inferColumns(logColumns, values[0] ?? []), values);
  }

  async lastId(): Promise<number> {
    const { id } = await this.#database
      .selectFrom('logs')
      .select(({ fn }) => fn.max<number | null>('id').as('id'))
      .executeTakeFirstOrThrow();
    return id ?? 0;
  }

  /** A user's consumption by model and day, starting at a whole hour. Days are counted from 1970. */
  async consumptionByDay(userId: number, since: number) {
    const day = sql<number>`hour / ${sql.lit(secondsPerDay)}`;
    return this.#database
      .selectFrom(currentTable(this.#database, 'usage_hours'))
      .where('user_id', '=', userId)
      .where('type', '=', logType.consumption)
      .where('hour', '>=', since)
      .select(['model_name', day.as('day')])
      .select(({ fn }) => [
        fn.sum<number>('rows').as('rows'),
        fn.sum<number>('quota').as('quota'),
        fn.sum<number>('prompt_tokens').as('prompt_tokens'),
        fn.sum<number>('completion_tokens').as('completion_tokens'),
      ])
      .groupBy(['model_name', day])
      .execute();
  }
}
