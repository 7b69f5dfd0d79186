import { type Kysely, type SqlBool, sql } from 'kysely';
import type { Database } from './database.ts';

/** Backend process id of the connection; undefined on SQLite. */
export async function backendPid(database: Database): Promise<number | undefined> {
  if (!isPostgres(database)) return undefined;
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database);
  return rows[0]?.pid;
}

/** Cancels the running query of another connection. */
export async function cancelBackend(database: Database, backend: number): Promise<void> {
  await sql`select pg_cancel_backend(${backend})`.execute(database);
}

export const isPostgres = (database: Pick<Kysely<unknown>, 'getExecutor'>) =>
  database.getExecutor().adapter.constructor.name.startsWith('Postgres');

/**
 * Matches a column against many numbers passed as one value, so that the statement is the same for any number of
 * them. SQLite caches compiled statements, and one with thousands of parameters is large.
 */
export const isOneOf = (database: Database, column: string, numbers: readonly number[]) =>
  isPostgres(database)
    ? sql<SqlBool>`${sql.ref(column)} = any(${numbers}::bigint[])`
    : sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(numbers)}))`;
