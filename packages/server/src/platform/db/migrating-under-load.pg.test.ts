import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { type Database, openDatabase, openForMigration } from './database.ts';
import { migrate } from './migrate.ts';

/** The next migrations alter channels, then users. */
const before = '0018-many-at-once';

/** Whoever migrates notices a deadlock before whoever charges. */
const patienceOfCharges = '60s';
const patienceOfMigrations = '5s';

const isMigrationWaiting = async (database: Database) => {
  const { rows } = await sql`select from pg_stat_activity
    where wait_event_type = 'Lock' and query like 'alter table "users"%' and datname = current_database()`.execute(
    database,
  );
  return rows.length > 0;
};

test('[A43.3] a start that meets a charge of an older node in a deadlock brings the schema up to date a moment later, and the charge is stored', async () => {
  await using stored = await createTestDatabase();
  await using database = await openDatabase(stored.location);
  await migrate(database, before);
  await sql`insert into users (username, name_key, password_hash, display_name, role, status, quota, used_quota, request_count, "group", inviter_id, created_time, credited)
    values ('one', 'one', '', '', 1, 1, 100, 0, 0, 'default', 0, 0, 100)`.execute(database);
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database);
  await sql`alter database ${sql.id(rows[0]?.name ?? '')} set deadlock_timeout = ${sql.lit(patienceOfMigrations)}`.execute(
    database,
  );
  await using patient = await openForMigration(stored.location.databaseUrl ?? '');
  const migrating = await database.transaction().execute(async (charge) => {
    await sql`set local deadlock_timeout = ${sql.lit(patienceOfCharges)}`.execute(charge);
    await sql`set local lock_timeout = 0`.execute(charge);
    await sql`update users set used_quota = used_quota + 75, quota = quota - 75`.execute(charge);
    const begun = migrate(patient);
    await expect.poll(() => isMigrationWaiting(database)).toBe(true);
    // What the migration has altered already; it waits for the users.
    await sql`update channels set used_quota = used_quota + 75`.execute(charge);
    return { begun };
  });
  await migrating.begun;
  expect(await sql`select quota, used_quota, unlogged_quota from users`.execute(database)).toMatchObject({
    rows: [{ quota: 25, used_quota: 75 }],
  });
});
