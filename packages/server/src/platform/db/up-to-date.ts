import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';
import { isPostgres } from './is-postgres.ts';
import type { Schema } from './schema.ts';

/** Tables with totals that requests add to. */
type TotalTable =
  | ('users' | 'tokens' | 'channels')
  | ('log_hours' | 'model_hours' | 'channel_hours' | 'user_days' | 'usage_hours')
  | 'budget_periods'
  | ('latency_hours' | 'failure_hours' | 'log_owners');

/**
 * Where totals are read. On PostgreSQL some of what was added to them waits beside the table, and a view says both; the
 * statement goes on calling it by the name of the table. A sum may then be there in several rows of the same key.
 */
export const upToDate = <Name extends TotalTable>(database: Database, table: Name): Name =>
  isPostgres(database) ? (`${table}_now as ${table}` as Name) : table;

/** The same for statements that are written as text; without another name. */
export const upToDateTable = (database: Database, table: TotalTable): RawBuilder<unknown> =>
  sql.table(isPostgres(database) ? `${table}_now` : table);

/** Rows with these ids, or any. */
export const among = <Name extends 'users' | 'tokens' | 'channels'>(
  where: ExpressionBuilder<Schema, Name>,
  ids: readonly number[] | undefined,
) => (ids === undefined ? where.lit(true) : sql<boolean>`${sql.ref('id')} = any(${ids}::bigint[])`);
