import { sql } from 'kysely';
import type { Database } from './database.ts';
import { isPostgres } from './is-postgres.ts';

/** First key of these advisory locks; must be unique in the database. */
export const nameLockClass = 0x68_67_6e_61;

/**
 * Locks a normalized name until the transaction ends, because two concurrent transactions do not see each other's
 * names.
 */
export async function lockName(database: Database, look: string): Promise<void> {
  // SQLite runs one transaction at a time.
  if (!isPostgres(database)) return;
  await sql`select pg_advisory_xact_lock(${nameLockClass}::int, hashtext(${look}))`.execute(database);
}
