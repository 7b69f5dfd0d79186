import { sql } from 'kysely';
import pg from 'pg';
import { inject } from 'vitest';
import type { TestApp } from '../test-app.ts';

/** Makes the database reject all changes until disposed, like a standby or a read-only file system. */
export async function readOnlyDatabase(app: Pick<TestApp, 'database' | 'location'>): Promise<AsyncDisposable> {
  const { databaseUrl } = app.location;
  const set = (isReadOnly: boolean) =>
    databaseUrl === undefined
      ? sql.raw(`pragma query_only = ${isReadOnly ? 1 : 0}`).execute(app.database)
      : setOnServer(new URL(databaseUrl).pathname.slice(1), isReadOnly);
  await set(true);
  return { [Symbol.asyncDispose]: async () => void (await set(false)) };
}

/**
 * `ALTER DATABASE … SET` applies only to new sessions, so open sessions are terminated when the database becomes
 * read-only.
 */
async function setOnServer(name: string, isReadOnly: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  await client.query(`alter database ${name} set default_transaction_read_only = ${isReadOnly}`);
  if (isReadOnly)
    await client.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where datname = $1 and application_name in ('', 'headgate relay', 'headgate charges')`,
      [name],
    );
  await client.end();
}
