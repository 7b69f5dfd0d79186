import { StubUpstream } from '@headgate/testkit';
import { expect, inject, test } from 'vitest';
import { createChannel } from '../testing/catalog/channel-fixtures.ts';
import { doctor, environmentOf } from '../testing/process/doctor-program.ts';
import { startTestApp } from '../testing/test-app.ts';

test('reports that database, secret key and channels are well', async () => {
  const upstream = await StubUpstream.start();
  await using app = await startTestApp();
  await createChannel(app, await app.as('admin'), { base_url: upstream.url, key: 'sk-hidden' });
  const { code, of } = await doctor(environmentOf(app));
  expect(of('database')).toEqual([
    { check: 'database', state: 'ok', says: 'it answers, and its schema is up to date' },
  ]);
  expect(of('secret key').map(({ state }) => state)).toEqual(['ok']);
  expect(of('channels').map(({ says }) => says)).toEqual(['1 of 1 addresses of enabled channels answer']);
  expect(of('clock').map(({ state }) => state)).toEqual(inject('database') === 'postgres' ? ['ok'] : []);
  expect(code).toBe(0);
  await upstream.close();
});

test('fails for a database of a newer version and warns of missing migrations', async () => {
  await using app = await startTestApp();
  const migrations = app.database.withTables<{ kysely_migration: { name: string; timestamp: string } }>();
  const [last] = await migrations
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name', 'desc')
    .limit(1)
    .execute();
  await migrations
    .updateTable('kysely_migration')
    .set({ name: '9999-later' })
    .where('name', '=', last?.name ?? '')
    .execute();
  const newer = await doctor(environmentOf(app));
  expect(newer.of('database')).toMatchObject([{ state: 'fail', says: expect.stringContaining('9999-later') }]);
  await migrations.deleteFrom('kysely_migration').where('name', '=', '9999-later').execute();
  const older = await doctor(environmentOf(app));
  expect(older.of('database')).toMatchObject([{ state: 'warn', says: 'It is behind by 1 migrations.' }]);
});
