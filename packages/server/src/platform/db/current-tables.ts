import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import { isPostgres } from './backend.ts';
import type { Database } from './database.ts';
import type { Schema } from './schema.ts';

/** Totals that charges add to. On PostgreSQL, recent changes are stored separately until the rollup. */
type TotalTable = 'users' | 'tokens' | 'channels' | 'budget_periods';

/** Rollups of logs. The newest logs are not in them yet. */
type RollupTable = 'usage_hours' | 'usage_days' | 'site_hours' | 'latency_hours' | 'served_latency_hours' | 'log_names';

const hasView = (database: Database, table: TotalTable | RollupTable): boolean =>
  isPostgres(database) || !['users', 'tokens', 'channels', 'budget_periods'].includes(table);

/**
 * Current state of a total or rollup, under the name of its table. A view of a rollup may return several rows for the
 * same key, so queries must sum them.
 */
export const currentTable = <Name extends TotalTable | RollupTable>(database: Database, table: Name): Name =>
  // The view has the columns of the table.
  hasView(database, table) ? (`${table}_now as ${table}` as Name) : table;

/** The same for raw SQL, without an alias. */
export const currentTableSql = (database: Database, table: TotalTable | RollupTable): RawBuilder<unknown> =>
  sql.table(hasView(database, table) ? `${table}_now` : table);

/** Restricts a query to these ids; undefined means no restriction. */
export const filterByIds = <Name extends 'users' | 'tokens' | 'channels'>(
  where: ExpressionBuilder<Schema, Name>,
  ids: readonly number[] | undefined,
) => (ids === undefined ? where.lit(true) : sql<boolean>`${sql.ref('id')} = any(${ids}::bigint[])`);
