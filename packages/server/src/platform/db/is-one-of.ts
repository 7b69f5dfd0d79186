import { type SqlBool, sql } from 'kysely';
import type { Database } from './database.ts';
import { isPostgres } from './is-postgres.ts';

/**
 * Whether a column is one of many numbers, which go as one value: the statement is the same however many there are. SQLite
 * keeps what it has made of each text, and that of thousands of values is large.
 */
export const isOneOf = (database: Database, column: string, numbers: readonly number[]) =>
  isPostgres(database)
    ? sql<SqlBool>`${sql.ref(column)} = any(${numbers}::bigint[])`
    : sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(numbers)}))`;
