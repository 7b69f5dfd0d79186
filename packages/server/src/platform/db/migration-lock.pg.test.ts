import { expect, test } from 'vitest';
import { LockedRows } from '../../testing/database/locked-rows.ts';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { openDatabase } from './database.ts';
import { appliedMigrations, migrate, migrationLock, migrations } from './migrate.ts';

test("a migration waits until another node's migration has ended", async () => {
  await using testDatabase = await createTestDatabase();
  await using other = await LockedRows.by(testDatabase, `select pg_advisory_xact_lock(${migrationLock})`);
  const database = await openDatabase(testDatabase.location);
  const migrating = migrate(database).then(() => 'migrates');
  expect(await Promise.race([other.untilWaitedFor('advisory').then(() => 'waits'), migrating])).toBe('waits');
  expect(await appliedMigrations(database)).toEqual([]);
  await other.release();
  await migrating;
  expect(await appliedMigrations(database)).toEqual(Object.keys(migrations));
  await database.destroy();
});
