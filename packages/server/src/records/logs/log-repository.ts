import { logType } from '@headgate/contract';
import { type Insertable, type Selectable, sql } from 'kysely';
import { inParts, runBuilt } from '../../platform/db/built-statement.ts';
import type { Database } from '../../platform/db/database.ts';
import { columnsLike, insertColumns, manyRows } from '../../platform/db/insert-columns.ts';
import { isPostgres } from '../../platform/db/is-postgres.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { upToDate } from '../../platform/db/up-to-date.ts';
import { LogOwnerRepository } from './log-owner-repository.ts';
import { addValues, logColumns, valuesOf } from './log-values.ts';
import { secondsPerDay } from './roll-up.ts';
import { RollUpRepository } from './roll-up-repository.ts';
import { UnloggedQuotaRepository } from './unlogged-quota-repository.ts';

export type NewLog = Insertable<Schema['logs']>;
export type LogRow = Selectable<Schema['logs']>;

/** Every row with the same columns in the same order. */
function inOrder(row: NewLog): NewLog {
  const ordered: Partial<Record<keyof NewLog, unknown>> = {};
  for (const column of logColumns) ordered[column] = row[column];
  return ordered as NewLog;
}

/** Few enough to keep nobody waiting: SQLite does nothing else meanwhile, and with PostgreSQL they are added up here. */
const rowsAtOnce = { sqlite: 250, postgres: 1000 } as const;

/** Which logs a cleanup deletes: those before a time, of those that were there when it began. */
export interface Leftovers {
  readonly before: number;
  /** Older ones are gone already: the databases need not look for them among what they have deleted. */
  readonly from: number;
  readonly lastId: number;
}

export class LogRepository {
  readonly #database: Database;
  readonly #rollUps: RollUpRepository;
  readonly #owners: LogOwnerRepository;

  constructor(database: Database) {
    this.#database = database;
    this.#rollUps = new RollUpRepository(database);
    this.#owners = new LogOwnerRepository(database);
  }

  within(transaction: Transaction): LogRepository {
    return new LogRepository(transaction.database);
  }

  /** Writes rows and adds them to the hourly sums; to be called inside a transaction, so that both agree. */
  async insert(rows: readonly NewLog[]): Promise<void> {
    if (isPostgres(this.#database) && rows.length >= manyRows) await this.#insertMany(rows);
    else await this.#insertFew(rows);
    await this.#rollUps.add(rows);
    await this.#owners.add(rows);
  }

  async #insertFew(rows: readonly NewLog[]): Promise<void> {
    for (const part of inParts(rows)) {
      const values: unknown[] = [];
      for (const row of part) addValues(values, row);
      await runBuilt(this.#database, `logs ${part.length}`, values, () =>
        this.#database.insertInto('logs').values(part.map(inOrder)),
      );
    }
  }

  async #insertMany(rows: readonly NewLog[]): Promise<void> {
    const values = rows.map(valuesOf);
    await insertColumns(this.#database, 'logs', columnsLike(logColumns, values[0] ?? []), values);
  }

  async lastId(): Promise<number> {
    const newest = await this.#database
      .selectFrom('logs')
      .select('id')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return newest?.id ?? 0;
  }

  async hasLeft(leftovers: Leftovers): Promise<boolean> {
    return (await this.#oldest(leftovers, 1).select('id').executeTakeFirst()) !== undefined;
  }

  /** Deletes the oldest and takes them off the hourly sums; to be called inside a transaction. */
  async deleteOldest(leftovers: Leftovers): Promise<{ count: number; left: Leftovers }> {
    const isByMonth = isPostgres(this.#database);
    const oldest = this.#oldest(leftovers, isByMonth ? rowsAtOnce.postgres : rowsAtOnce.sqlite);
    const deleted = await this.#database
      .deleteFrom('logs')
      .where((where) =>
        isByMonth
          ? // With the time a row is looked for in its month alone.
            where(
              where.refTuple('created_at', 'id'),
              'in',
              oldest.select('created_at').select('id').$asTuple('created_at', 'id'),
            )
          : where('id', 'in', oldest.select('id')),
      )
      .returning(['created_at', 'type', 'user_id', 'username', 'token_name', 'model_name', 'channel', 'group'])
      .returning(['quota', 'prompt_tokens', 'completion_tokens', 'cached_tokens', 'cache_write_tokens', 'cost'])
      .returning(['elapsed_time', 'first_byte_time', 'reason', 'status'])
      .execute();
    await new UnloggedQuotaRepository(this.#database).addDeleted(deleted);
    await this.#rollUps.subtract(deleted);
    const from = Math.max(leftovers.from, ...deleted.map(({ created_at }) => created_at));
    return { count: deleted.length, left: { ...leftovers, from } };
  }

  #oldest({ from, before, lastId }: Leftovers, most: number) {
    return this.#database
      .selectFrom('logs')
      .where('created_at', '>=', from)
      .where('created_at', '<', before)
      .where('id', '<=', lastId)
      .orderBy('created_at')
      .orderBy('id')
      .limit(most);
  }

  /** What a user consumed since a time that begins an hour, by day and model. Days are counted from 1970. */
  async consumptionByDay(userId: number, since: number) {
    const day = sql<number>`hour / ${sql.lit(secondsPerDay)}`;
    return this.#database
      .selectFrom(upToDate(this.#database, 'usage_hours'))
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
