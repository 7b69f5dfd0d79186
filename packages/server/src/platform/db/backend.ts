import { sql } from 'kysely';
import type { Database } from './database.ts';
import { isPostgres } from './is-postgres.ts';

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
