import { sql } from 'kysely';
import { isLoginRejected } from '../errors/database-unreachable.ts';
import { classifyStorageFault } from '../storage/storage-health.ts';
import { isPostgres } from './backend.ts';
import type { Database } from './database.ts';

/** `read-only`: a standby, or a database set to read-only. `rejecting`: the login or the database no longer exists. */
export type DatabaseState = 'writable' | 'read-only' | 'silent' | 'rejecting';

/** A database that does not respond within this time counts as silent. */
const patienceMs = 2000;

export async function readDatabaseState(database: Database): Promise<DatabaseState> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<DatabaseState>((resolve) => {
    timer = setTimeout(() => resolve('silent'), patienceMs);
  });
  const response = isReadOnly(database).then<DatabaseState, DatabaseState>(
    (readOnly) => (readOnly ? 'read-only' : 'writable'),
    (error: unknown) => (isLoginRejected(error) ? 'rejecting' : 'silent'),
  );
  return Promise.race([response, tooLong]).finally(() => clearTimeout(timer));
}

/**
 * On PostgreSQL, runs a statement that needs a writable transaction and changes nothing; the pool discards sessions
 * that reject it.
 */
async function isReadOnly(database: Database): Promise<boolean> {
  if (!isPostgres(database)) {
    const { rows } = await sql<{ query_only: number }>`pragma query_only`.execute(database);
    return rows[0]?.query_only === 1;
  }
  try {
    await sql`select from options where false for update`.execute(database);
    return false;
  } catch (error) {
    if (classifyStorageFault(error) === 'read-only') return true;
    throw error;
  }
}
