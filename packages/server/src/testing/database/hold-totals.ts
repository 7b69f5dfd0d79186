import { type Kysely, sql } from 'kysely';
import { totalsLock } from '../../platform/db/locks.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { TestApp } from '../test-app.ts';

/**
 * Runs work while pending changes are not applied to totals, by holding the lock as another node would. PostgreSQL
 * only.
 */
export const withUnappliedTotals = <T>({ database }: Pick<TestApp, 'database'>, work: () => Promise<T>): Promise<T> =>
  database.connection().execute(async (connection: Kysely<Schema>) => {
    await sql`select pg_advisory_lock(${sql.lit(totalsLock)})`.execute(connection);
    try {
      return await work();
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(totalsLock)})`.execute(connection);
    }
  });
