import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkStoredLedger } from '../ledger/stored-ledger-repository.ts';
import { AncestorDatabase } from '../testing/ancestor-databases.ts';
import { ancestorRows } from '../testing/ancestor-rows.ts';
import { asking, comparableDatabase, importFrom, oldPassword, wholeDatabase } from '../testing/import-scene.ts';
import { MysqlAncestor, type OwnMariadb, ownMariadb } from '../testing/mysql-ancestor.ts';
import { runFile } from '../testing/program.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { mysqlAddress } from './mysql-address.ts';
import type { SourceKind } from './source.ts';

let server: OwnMariadb;
beforeAll(async () => {
  server = await ownMariadb();
});
afterAll(() => server[Symbol.asyncDispose]());

const owner = { id: 1, username: 'root', role: 100, password: oldPassword.cheapHash };

const logsOf = (into: Pick<TestDatabase, 'location'>) =>
  asking(into, (database) => database.selectFrom('logs').selectAll().orderBy('id').execute());

/** What a server takes where SQLite takes anything: times in its own form, and JSON that can be read. */
async function filled(kind: SourceKind): Promise<MysqlAncestor> {
  const source = await MysqlAncestor.create(server, kind);
  for (const [table, rows] of Object.entries(ancestorRows(kind))) {
    for (const row of rows) {
      const { deleted_at: deleted } = row;
      await source.add(table, typeof deleted === 'string' ? { ...row, deleted_at: deleted.slice(0, 19) } : row);
    }
  }
  return source;
}

describe.each(['one-api', 'new-api'] as const)('%s on MySQL', (kind) => {
  test('comes as it does from a file: every row, every change and every reason', async () => {
    using file = new AncestorDatabase(kind);
    for (const [table, rows] of Object.entries(ancestorRows(kind))) file.add(table, ...rows);
    await using source = await filled(kind);
    await using fromFile = await createTestDatabase();
    await using fromServer = await createTestDatabase();
    const [, ...said] = await importFrom(file, fromFile, { logsSince: 0 });
    const [place, ...saidOfServer] = await importFrom(source, fromServer, { logsSince: 0 });
    expect(place).toMatch(/^MySQL at 127\.0\.0\.1:\d+\/gateway_\w+ is a database of (One API|new-api)\.$/);
    expect(saidOfServer).toEqual(said);
    expect(await comparableDatabase(fromServer)).toEqual(await comparableDatabase(fromFile));
    expect(await checkStoredLedger(fromServer.location)).toMatchObject({ drift: 0, log_drift: 0 });
    const before = await wholeDatabase(fromServer);
    await importFrom(source, fromServer, { logsSince: 0 });
    expect(await wholeDatabase(fromServer)).toEqual(before);
  });
});

test('[A50.1] MySQL is read in transactions that cannot write, as a view sees from inside', async () => {
  await using source = await MysqlAncestor.create(server, 'one-api');
  await source.add('users', owner);
  await source.run('drop table options');
  await source.run(`create view options as select 'SystemName' as "key", concat('read only: ', (select trx_is_read_only
    from information_schema.innodb_trx where trx_mysql_thread_id = connection_id())) as value`);
  await using stored = await createTestDatabase();
  await importFrom(source, stored);
  expect((await wholeDatabase(stored))['options']).toEqual([{ key: 'SystemName', value: 'read only: 1' }]);
});

test('[A50.4] times of zero, texts in no known letters and numbers below and beyond all do not stop an import', async () => {
  await using source = await MysqlAncestor.create(server, 'new-api');
  await source.add('users', owner, { id: 2, username: 'zero', deleted_at: '0000-00-00 00:00:00' });
  await source.run('alter table users modify display_name blob, modify quota bigint unsigned');
  await source.run(`update users set display_name = x'ff41fe', quota = 18446744073709551615 where id = 1`);
  await source.add('users', { id: 3, username: 'Zoë', group: null }, { id: 4, username: 'zoë_2' });
  await using stored = await createTestDatabase();
  const lines = await importFrom(source, stored);
  expect(lines).toContain('  user 1 "root" has 1000000000000000 points, the most that can be counted');
  expect(lines).toContain('  user 2 "zero" stays behind: was deleted there');
  expect((await wholeDatabase(stored))['users']).toMatchObject([
    { username: 'root', quota: 1e15 },
    { username: 'Zoë', group: 'default' },
    { username: 'zoë_2' },
  ]);
  expect(await checkStoredLedger(stored.location)).toMatchObject({ drift: 0, log_drift: 0 });
});

test('many logs come since a day, wherever among them that begins', async () => {
  await using source = await MysqlAncestor.create(server, 'new-api');
  const since = Date.parse('2025-11-01T00:00:00Z') / 1000;
  await source.add('users', owner, { id: 4, username: 'alice', used_quota: 12_000 });
  await source.run(`insert into logs (id, user_id, created_at, type, username, model_name, quota, prompt_tokens)
    select seq, 4, ${since} + seq - 6000, 2, 'alice', 'gpt-4o', 1, 2 from seq_1_to_12000`);
  await using stored = await createTestDatabase();
  expect((await importFrom(source, stored, { logsSince: since })).at(-1)).toMatch(/^logs: 6001 read, 6001 come/);
  expect((await logsOf(stored)).map(({ created_at }) => created_at - since)).toEqual(
    Array.from({ length: 6001 }, (_, index) => index),
  );
  expect(await checkStoredLedger(stored.location)).toMatchObject({ drift: 0, log_drift: 0 });
});

test('an address is read in either form', () => {
  const expected = { host: 'db', port: 3307, user: 'a', password: 'p@ss:/#?', database: 'one' };
  expect(mysqlAddress('a:p@ss:/#?@tcp(db:3307)/one?parseTime=true')).toMatchObject(expected);
  expect(mysqlAddress(`mysql://a:${encodeURIComponent('p@ss:/#?')}@db:3307/one`)).toMatchObject(expected);
  expect(mysqlAddress('mysql://a@db/one?tls=true')).toMatchObject({ port: 3306, ssl: { rejectUnauthorized: true } });
});

test.each([
  ['a server that is not there', 'somebody:hidden@tcp(127.0.0.1:1)/one', /cannot be read \(ECONNREFUSED\)/],
  ['an address without a database', 'mysql://somebody:hidden@127.0.0.1:1/', /names no database/],
  ['no address at all', 'mysql://somebody:hidden@[/one', /no valid address/],
])('[A50.3] %s is said in one sentence, without the password', async (_, from, sentence) => {
  await using stored = await createTestDatabase();
  await using program = runFile('import.ts', ['--from', from], { environment: { ...stored.environment } });
  const { code, stdout, stderr } = await program.exit;
  expect(code).toBe(1);
  expect(stderr).toMatch(sentence);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stdout + stderr).not.toMatch(/hid|somebody/);
});
