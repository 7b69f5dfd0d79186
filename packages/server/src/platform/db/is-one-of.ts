import { type SqlBool, sql } from 'kysely';
import type { Database } from './database.ts';
import { isPostgres } from './is-postgres.ts';

/**
 * Matches a column against many numbers passed as one value, so that the statement is the same for any number of
 * them. SQLite caches compiled statements, and one with thousands of parameters is large.
 */
export const isOneOf = (database: Database, column: string, numbers: readonly number[]) =>
  isPostgres(database)
    ? sql<SqlBool>`${sql.ref(column)} = any(${numbers}::bigint[])`
    : sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(numbers)}))`;
