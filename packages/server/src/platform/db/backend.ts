import { sql } from 'kysely';
import type { Database } from './database.ts';
import { isPostgres } from './is-postgres.ts';

/** The number by which the server of the database knows the one connection behind this; SQLite has none. */
export async function backendOf(database: Database): Promise<number | undefined> {
  if (!isPostgres(database)) return undefined;
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database);
  return rows[0]?.pid;
}

/** Ends what another connection is asking. */
export async function cancelBackend(database: Database, backend: number): Promise<void> {
  await sql`select pg_cancel_backend(${backend})`.execute(database);
}
