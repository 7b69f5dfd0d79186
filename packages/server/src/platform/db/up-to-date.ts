import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';
import { isPostgres } from './is-postgres.ts';
import type { Schema } from './schema.ts';

/** Totals that charges add to. On PostgreSQL, changes wait beside them for a moment. */
type TotalTable = 'users' | 'tokens' | 'channels' | 'budget_periods';

/** Rollups of logs. The newest logs are not in them yet. */
type RollupTable = 'usage_hours' | 'usage_days' | 'site_hours' | 'latency_hours' | 'log_names';

const hasView = (database: Database, table: TotalTable | RollupTable): boolean =>
  isPostgres(database) || !['users', 'tokens', 'channels', 'budget_periods'].includes(table);

/**
 * A total or a rollup as of now, under the name of its table. Where it is a view, the same key of a rollup may be in several
 * rows, so queries add them up.
 */
export const upToDate = <Name extends TotalTable | RollupTable>(database: Database, table: Name): Name =>
  // The view has the columns of the table.
  hasView(database, table) ? (`${table}_now as ${table}` as Name) : table;

/** The same for SQL text, without an alias. */
export const upToDateTable = (database: Database, table: TotalTable | RollupTable): RawBuilder<unknown> =>
  sql.table(hasView(database, table) ? `${table}_now` : table);

/** Rows with these ids, or any. */
export const among = <Name extends 'users' | 'tokens' | 'channels'>(
  where: ExpressionBuilder<Schema, Name>,
  ids: readonly number[] | undefined,
) => (ids === undefined ? where.lit(true) : sql<boolean>`${sql.ref('id')} = any(${ids}::bigint[])`);
