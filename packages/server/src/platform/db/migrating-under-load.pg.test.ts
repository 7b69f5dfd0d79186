import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { type Database, openDatabase, openForMigration } from './database.ts';
import { type Migrations, migrate, migrations } from './migrate.ts';

/** Locks channels, then users, which is the opposite order of a charge. */
const later: Migrations = {
  ...migrations,
  '9.01-columns': {
    async up(database) {
      for (const table of ['channels', 'users']) {
        await database.schema.alterTable(table).addColumn('color', 'text').execute();
      }
    },
  },
};

/** Makes the migration detect a deadlock before the charge does. */
const chargeDeadlockTimeout = '60s';
const migrationDeadlockTimeout = '5s';

const isMigrationWaiting = async (database: Database) => {
  const { rows } = await sql`select from pg_stat_activity
    where wait_event_type = 'Lock' and query like 'alter table "users"%' and datname = current_database()`.execute(
    database,
  );
  return rows.length > 0;
};

it('[A43.3] retries a migration after a deadlock with a charge of a running node, and the charge is stored', async () => {
  await using stored = await createMigratedDatabase();
  await using database = await openDatabase(stored.location);
  await sql`update users set quota = 100, used_quota = 0`.execute(database);
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database);
  await sql`alter database ${sql.id(rows[0]?.name ?? '')} set deadlock_timeout = ${sql.lit(migrationDeadlockTimeout)}`.execute(
    database,
  );
  await using patient = await openForMigration(stored.location.databaseUrl ?? '');
  const migrating = await database.transaction().execute(async (charge) => {
    await sql`set local deadlock_timeout = ${sql.lit(chargeDeadlockTimeout)}`.execute(charge);
    await sql`set local lock_timeout = 0`.execute(charge);
    await sql`update users set used_quota = used_quota + 75, quota = quota - 75`.execute(charge);
    const begun = migrate(patient, { known: later });
    await expect.poll(() => isMigrationWaiting(database)).toBe(true);
    // The migration holds the lock on `channels` and is waiting for the lock on `users`.
    await sql`update channels set used_quota = used_quota + 75`.execute(charge);
    return { begun };
  });
  await migrating.begun;
  expect(await sql`select quota, used_quota, color from users`.execute(database)).toMatchObject({
    rows: [{ quota: 25, used_quota: 75, color: null }],
  });
});
