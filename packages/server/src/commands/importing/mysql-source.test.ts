import { afterAll, beforeAll, expect, test } from 'vitest';
import { StartFailure } from '../../platform/errors/start-failure.ts';
import { checkStoredLedger } from '../../records/ledger/stored-ledger-repository.ts';
import { databaseContents, importFrom, sourceKey, sourcePassword } from '../../testing/commands/import-fixture.ts';
import { type MariadbServer, MysqlSourceDatabase, startMariadb } from '../../testing/commands/mysql-source-database.ts';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';

let server: MariadbServer;
beforeAll(async () => {
  server = await startMariadb();
});
afterAll(() => server[Symbol.asyncDispose]());

const owner = { id: 1, username: 'root', role: 100, password: sourcePassword.fastPasswordHash };

test('[A50.1] MySQL is read in read-only transactions (verified with a view in the source)', async () => {
  await using source = await MysqlSourceDatabase.create(server, 'one-api');
  await source.add('users', owner);
  await source.run('drop table options');
  await source.run(`create view options as select 'SystemName' as "key", concat('read only: ', (select trx_is_read_only
    from information_schema.innodb_trx where trx_mysql_thread_id = connection_id())) as value`);
  await using stored = await createMigratedDatabase();
  await importFrom(source, stored);
  expect((await databaseContents(stored))['options']).toEqual([{ key: 'SystemName', value: 'read only: 1' }]);
});

test('[A50.4] zero dates, undecodable texts and extreme numbers do not stop an import', async () => {
  await using source = await MysqlSourceDatabase.create(server, 'new-api');
  await source.add('users', owner, { id: 2, username: 'zero', deleted_at: '0000-00-00 00:00:00' });
  await source.run('alter table users modify display_name blob, modify quota bigint unsigned');
  await source.run(`update users set display_name = x'ff41fe', quota = 18446744073709551615 where id = 1`);
  await source.add('users', { id: 3, username: 'Zoë', group: null }, { id: 4, username: 'zoë_2' });
  await using stored = await createMigratedDatabase();
  const lines = await importFrom(source, stored);
  expect(lines).toContain('  user 1 "root" has a quota of 1000000000000000 points, the maximum');
  expect(lines).toContain('  user 2 "zero" skipped: was deleted in the source');
  expect((await databaseContents(stored))['users']).toMatchObject([
    { username: 'root', quota: 1e15 },
    { username: 'Zoë', group: 'default' },
    { username: 'zoë_2' },
  ]);
  expect(await checkStoredLedger(stored.location)).toMatchObject({ drift: 0, log_drift: 0 });
});

test.each([
  [
    'an unreachable server',
    'somebody:hidden@tcp(127.0.0.1:1)/one',
    /cannot be read \(ECONNREFUSED: connection refused\)/,
  ],
  ['an address without a database', 'mysql://somebody:hidden@127.0.0.1:1/', /has no database name/],
  ['an unparsable address', 'mysql://somebody:hidden@[/one', /Invalid database address/],
])('[A50.3] %s is reported in one sentence, without the password', async (_, from, sentence) => {
  await using stored = await createMigratedDatabase();
  const error = await importFrom({ path: from }, stored).then(
    () => new Error('The import succeeded.'),
    (thrown: Error) => thrown,
  );
  expect(error).toBeInstanceOf(StartFailure);
  expect(error.message).toMatch(sentence);
  expect(error.message).not.toMatch(/\n|hid|somebody/);
});

test('[A54.13] flags stored as single bits are read', async () => {
  await using source = await MysqlSourceDatabase.create(server, 'new-api');
  await source.add('users', owner);
  await source.run(`alter table tokens modify model_limits_enabled bit(1), modify unlimited_quota bit(1)`);
  await source.run(`insert into tokens (id, user_id, "key", status, expired_time, unlimited_quota, model_limits_enabled, model_limits)
    values (1, 1, '${sourceKey(1)}', 1, -1, b'1', b'1', 'a'), (2, 1, '${sourceKey(2)}', 1, -1, b'0', b'0', 'a')`);
  await using stored = await createMigratedDatabase();
  await importFrom(source, stored);
  expect((await databaseContents(stored))['tokens']).toMatchObject([
    { models: 'a', unlimited_quota: 1 },
    { models: '', unlimited_quota: 0 },
  ]);
});
