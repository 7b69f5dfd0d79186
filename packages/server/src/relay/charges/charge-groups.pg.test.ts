import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { currentTable } from '../../platform/db/current-tables.ts';
import { openDatabase } from '../../platform/db/database.ts';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { batchStoreOf } from '../../testing/records/charge-store.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';
import { ChargeBatchRepository } from './charge-batch-repository.ts';

const app = await useTestApp();

const countGroups = async (database = app.database) =>
  (await database.selectFrom('charge_groups').selectAll().execute()).length;

describe('[A9.4] two attempts to store the same batch of charges', () => {
  test.each([
    ['commits, the second stores nothing', true],
    ['fails, the second stores the group', false],
  ])('the second attempt waits for the first; if the first %s', async (_, isCommitted) => {
    const writer = isCommitted ? 11 : 12;
    const { id } = await app.createUser({ quota: 100 });
    const charges = [{ quota: 7, user: id, token: 0, isTokenLimited: false, channel: 0, record: undefined }];
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const first = app.database.transaction().execute(async (connection) => {
      await new ChargeBatchRepository(connection, writer).store(1, charges);
      begun.resolve();
      await end.promise;
      if (!isCommitted) throw new Error('broken off');
    });
    const outcome = first.then(
      () => 'committed',
      () => 'failed',
    );
    await begun.promise;
    const second = new ChargeBatchRepository(app.database, writer).store(1, charges);
    const waiting = sql<{ count: number }>`select count(*) from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`;
    await expect.poll(async () => (await waiting.execute(app.database)).rows[0]?.count).toBe(1);
    end.resolve();
    expect(await outcome).toBe(isCommitted ? 'committed' : 'failed');
    await second;
    const users = app.database
      .selectFrom(currentTable(app.database, 'users'))
      .select('used_quota')
      .where('id', '=', id);
    expect(await users.execute()).toEqual([{ used_quota: 7 }]);
  });
});

test('deletes confirmed batches to keep the table small', async () => {
  const before = await countGroups();
  const store = batchStoreOf(app.database, () => undefined);
  const { id } = await app.createUser({ quota: 1000 });
  const charge = { quota: 1, user: id, token: 0, isTokenLimited: false, channel: 0, record: undefined };
  for (let count = 0; count < 250; count += 1) await store.store([charge]);
  const user = await app.database
    .selectFrom(currentTable(app.database, 'users'))
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(user).toMatchObject({ quota: 750, used_quota: 250, unlogged_quota: 250 });
  expect((await countGroups()) - before).toBeLessThanOrEqual(100);
  await store.close();
  expect(await countGroups()).toBe(before);
});

test('deletes the batches of a killed process at a later start, once they are too old to be looked up', async () => {
  await using stored = await createTestDatabase();
  await (await startTestApp({ on: stored })).close();
  const database = await openDatabase(stored.location);
  const days = async (age: number) =>
    sql`insert into charge_groups (writer, number, stored_time)
      values (1, ${age}, extract(epoch from now())::bigint - ${age * 86_400})`.execute(database);
  for (const age of [1, 29, 31, 400]) await days(age);
  await (await startTestApp({ on: stored })).close();
  const left = await database.selectFrom('charge_groups').select('number').orderBy('number').execute();
  expect(left.map(({ number }) => number)).toEqual([1, 29]);
  await database.destroy();
});
