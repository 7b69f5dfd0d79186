import { sql } from 'kysely';
import type { Database } from './database.ts';
import { isPostgres } from './is-postgres.ts';

/** The first of the two numbers of these locks: any, as long as nothing else in the database uses it. */
export const nameLockClass = 0x68_67_6e_61;

/** Until the transaction ends nobody else is given a name of this look: two that are asked for at once do not see each other. */
export async function lockName(database: Database, look: string): Promise<void> {
  // SQLite has one transaction at a time.
  if (!isPostgres(database)) return;
  await sql`select pg_advisory_xact_lock(${nameLockClass}::int, hashtext(${look}))`.execute(database);
}
