import { StubUpstream } from '@headgate/testkit';
import { expect, inject, test } from 'vitest';
import { createChannel } from '../testing/catalog/channel-fixtures.ts';
import { doctorEnvironment, runDoctor } from '../testing/process/doctor-program.ts';
import { startTestApp } from '../testing/test-app.ts';

test('reports ok for database, secret key and channels', async () => {
  const upstream = await StubUpstream.start();
  await using app = await startTestApp();
  await createChannel(app, await app.as('admin'), { base_url: upstream.url, key: 'sk-hidden' });
  const { code, of } = await runDoctor(doctorEnvironment(app));
  expect(of('database')).toEqual([{ check: 'database', state: 'ok', message: 'reachable, schema up to date' }]);
  expect(of('secret key').map(({ state }) => state)).toEqual(['ok']);
  expect(of('channels').map(({ message }) => message)).toEqual(['1 of 1 addresses of enabled channels respond']);
  expect(of('clock').map(({ state }) => state)).toEqual(inject('database') === 'postgres' ? ['ok'] : []);
  expect(code).toBe(0);
  await upstream.close();
});

test('fails for a database of another version and warns about pending migrations', async () => {
  await using app = await startTestApp();
  const migrations = app.database.withTables<{ kysely_migration: { name: string; timestamp: string } }>();
  const found = async (name: string) => {
    await migrations.deleteFrom('kysely_migration').execute();
    if (name !== '') await migrations.insertInto('kysely_migration').values({ name, timestamp: '' }).execute();
    return (await runDoctor(doctorEnvironment(app))).of('database');
  };
  const newer = 'The database belongs to a newer version of Headgate (it has migration 2.0-later).';
  expect(await found('2.0-later')).toMatchObject([{ state: 'fail', message: newer, action: 'Start that version.' }]);
  const older =
    'The database was created by a pre-release version of Headgate (migration 0001-a), which this version cannot migrate.';
  expect(await found('0001-a')).toMatchObject([{ state: 'fail', message: older, action: 'Use an empty database.' }]);
  const pending = expect.stringMatching(
    /^Pending migrations: 1\.0-initial, 1\.01-channel-rules(, 1\.\d\d-[a-z-]+)*\.$/,
  );
  expect(await found('')).toMatchObject([{ state: 'warn', message: pending }]);
});
