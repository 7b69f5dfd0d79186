import { logType } from '@headgate/contract';
import { completion } from '@headgate/testkit';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Database } from '../../platform/db/database.ts';
import { appliedMigrations, type Migrations, migrations } from '../../platform/db/migrate.ts';
import { checkStoredLedger } from '../../records/ledger/stored-ledger-repository.ts';
import {
  archiveContents,
  archiveFolder,
  exportArchive,
  restoreArchive,
  withDatabase,
} from '../../testing/commands/archive-fixture.ts';
import { createMigratedDatabase, createTestDatabase } from '../../testing/database/test-database.ts';
import { fixtureLoad } from '../../testing/process/fixture-load.ts';
import { chargeStoreOf } from '../../testing/records/charge-store.ts';
import { currentRollups, rollupsOfLogs } from '../../testing/records/rollups.ts';
import { sampleHour, sampleLog, writeLogs } from '../../testing/records/sample-logs.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

const balanced = { drift: 0, log_drift: 0, budget_drift: 0 };
const day = 86_400;
const sampleDay = sampleHour - (sampleHour % day);

describe('target of a restore', () => {
  test('a restore is rejected while the target is in use', async () => {
    using files = archiveFolder();
    await using app = await startTestApp({ isUntouched: true });
    await exportArchive(files.path('all'), app);
    await expect(restoreArchive(files.path('all'), app)).rejects.toThrow(
      /(Another Headgate process uses|A Headgate process is using)/,
    );
  });

  test('a restore requires a target that is new or unchanged since its first start', async () => {
    using files = archiveFolder();
    await using source = await startTestApp();
    await source.createUser({ username: 'somebody' });
    await exportArchive(files.path('all'), source);
    await using target = await createMigratedDatabase();
    const started = await startTestApp({ on: target });
    await started.signedIn('root', '123456');
    await started.close();
    await restoreArchive(files.path('all'), target);
    expect(JSON.stringify((await archiveContents(target))['users'])).toContain('somebody');
    await using after = await startTestApp({ on: target });
    expect(await after.database.selectFrom('sessions').selectAll().execute()).toEqual([]);
  });

  test('a restore requires a target without users, tokens, options and logs', async () => {
    using files = archiveFolder();
    await using empty = await createMigratedDatabase();
    await exportArchive(files.path('empty'), empty);
    for (const [table, fill] of Object.entries(fills)) {
      await using target = await createMigratedDatabase();
      await withDatabase(target, fill);
      const before = await archiveContents(target);
      await expect(restoreArchive(files.path('empty'), target), table).rejects.toThrow(
        `This gateway is not empty (table ${table})`,
      );
      expect(await archiveContents(target), table).toEqual(before);
    }
  });
});

/** Each adds a row to one table. */
const fills: Readonly<Record<string, (database: Database) => Promise<unknown>>> = {
  users: async (database) => {
    const { id: _, ...root } = await database.selectFrom('users').selectAll().executeTakeFirstOrThrow();
    return database
      .insertInto('users')
      .values({ ...root, username: 'other', name_key: 'other' })
      .execute();
  },
  tokens: (database) => {
    const columns = { user_id: 1, key_hash: 'x', key_sealed: '', status: 1, name: '', created_time: 1 };
    const rest = { accessed_time: 0, expired_time: -1, remain_quota: 0, unlimited_quota: 1, used_quota: 0 };
    return database
      .insertInto('tokens')
      .values({ ...columns, ...rest, models: '', subnet: '' })
      .execute();
  },
  options: (database) => database.insertInto('options').values({ key: 'SystemName', value: 'x' }).execute(),
  logs: (database) => writeLogs(database, [{}]),
};

test('a file is written completely and never overwrites another', async () => {
  using files = archiveFolder();
  await using app = await startTestApp();
  await exportArchive(files.path('all'), app);
  await expect(exportArchive(files.path('all'), app)).rejects.toThrow(`${files.path('all')} already exists`);
  await expect(exportArchive(files.path('no/such/all'), app)).rejects.toThrow(/ENOENT/);
});

test('an export with logs from a given day, or without logs, counts the rest as unlogged, and ledger and totals match', async () => {
  using files = archiveFolder();
  await using app = await startTestApp();
  const user = await app.createUser({ quota: 100, used_quota: 60, unlogged_quota: 0 });
  const log = (created_at: number, quota: number) => ({
    created_at,
    quota,
    user_id: user.id,
    model_name: 'm',
    channel: 1,
  });
  await writeLogs(app.database, [log(sampleDay - 1, 10), log(sampleDay, 20), log(sampleDay + day, 30)]);
  await writeLogs(app.database, [{ created_at: sampleDay - 5, type: logType.failure, user_id: user.id, status: 500 }]);
  for (const [name, since, unlogged, logs] of [
    ['some', sampleDay, 10, 2],
    ['none', Number.MAX_SAFE_INTEGER, 60, 0],
  ] as const) {
    await exportArchive(files.path(name), app, { logsSince: since });
    await using target = await createMigratedDatabase();
    await restoreArchive(files.path(name), target);
    expect(await checkStoredLedger(target.location)).toMatchObject(balanced);
    await withDatabase(target, async (database) => {
      const row = database.selectFrom('users').selectAll().where('id', '=', user.id);
      expect(await row.executeTakeFirstOrThrow()).toMatchObject({ used_quota: 60, unlogged_quota: unlogged });
      expect(await database.selectFrom('logs').selectAll().execute()).toHaveLength(logs);
      expect(await currentRollups(database)).toEqual(await rollupsOfLogs(database));
    });
  }
});

test('a file of an earlier version is restored unchanged and then migrated', async () => {
  using files = archiveFolder();
  const app = await startTestApp();
  const { id } = await app.createUser({ username: 'Old', quota: 7 });
  await exportArchive(files.path('old'), app);
  await app.close();
  const later: Migrations = {
    ...migrations,
    '9.01-color': {
      async up(database) {
        await database.schema.alterTable('users').addColumn('color', 'text').execute();
        await sql`update users set color = 'red'`.execute(database);
      },
    },
  };
  // An empty database, because one with the current schema would be newer than the file.
  await using target = await createTestDatabase();
  await restoreArchive(files.path('old'), target, { migrations: later });
  await withDatabase(target, async (database) => {
    expect(await appliedMigrations(database)).toEqual([...Object.keys(migrations), '9.01-color']);
    const { rows } = await sql`select id, quota, color from users where username = 'Old'`.execute(database);
    expect(rows).toMatchObject([{ id, quota: 7, color: 'red' }]);
  });
});

test('an export during charges contains each charge completely or not at all', async () => {
  using files = archiveFolder();
  await using app = await startTestApp();
  const scene = await relayFixture(app, { upstreams: [completion()] });
  const load = fixtureLoad(scene, 8);
  await expect.poll(async () => (await scene.books()).user.request_count).toBeGreaterThan(10);
  for (const name of ['one', 'two']) await exportArchive(files.path(name), app);
  expect(await load.end()).toEqual([]);
  for (const name of ['one', 'two']) {
    await using target = await createMigratedDatabase();
    await restoreArchive(files.path(name), target);
    expect(await checkStoredLedger(target.location)).toMatchObject({ ...balanced, set_aside: 0 });
    await withDatabase(target, async (database) => {
      const { request_count } = await database
        .selectFrom('users')
        .select('request_count')
        .where('id', '=', scene.user.id)
        .executeTakeFirstOrThrow();
      const logs = await database
        .selectFrom('logs')
        .select('id')
        .where('user_id', '=', scene.user.id)
        .where('type', '=', 2)
        .execute();
      expect(logs).toHaveLength(request_count);
      expect(request_count).toBeGreaterThan(10);
      expect(await currentRollups(database)).toEqual(await rollupsOfLogs(database));
    });
  }
  await scene.close();
});

test('pending and unreadable journal entries are exported', async () => {
  using files = archiveFolder();
  await using source = await createTestDatabase('sqlite');
  const app = await startTestApp({ on: source });
  const { id, username } = await app.createUser({ quota: 100 });
  await app.close();
  await withDatabase(source, async (database) => {
    const record = sampleLog({ user_id: id, username, quota: 10, request_id: 'waits' });
    const charge = { quota: 10, user: id, token: 0, isTokenLimited: false, channel: 0, record };
    await chargeStoreOf(database, () => undefined).journal([charge]);
    const entry = { id: 7, version: 99, charges: '[]' };
    await database.insertInto('charge_journal').values(entry).execute();
  });
  const lines = await exportArchive(files.path('all'), source);
  expect(lines).toContain('Journal entry 7 cannot be read and is exported as set aside.');
  await using target = await createMigratedDatabase();
  await restoreArchive(files.path('all'), target);
  expect(await checkStoredLedger(target.location)).toMatchObject({ ...balanced, set_aside: 1 });
  await withDatabase(target, async (database) => {
    const row = database.selectFrom('users').selectAll().where('id', '=', id);
    expect(await row.executeTakeFirstOrThrow()).toMatchObject({ quota: 90, used_quota: 10, request_count: 1 });
    const logs = database.selectFrom('logs').select('request_id').where('user_id', '=', id);
    expect(await logs.execute()).toEqual([{ request_id: 'waits' }]);
    expect(await database.selectFrom('set_aside_charges').selectAll().execute()).toMatchObject([
      { entry: 7, version: 99 },
    ]);
  });
  // The exported gateway has not charged it yet.
  await withDatabase(source, async (database) => {
    expect(await database.selectFrom('charge_journal').selectAll().execute()).toHaveLength(2);
  });
});
