import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkStoredLedger } from '../ledger/stored-ledger-repository.ts';
import { AncestorDatabase } from '../testing/ancestor-databases.ts';
import { ancestorRows } from '../testing/ancestor-rows.ts';
import { asking, comparableDatabase, importFrom, oldPassword, wholeDatabase } from '../testing/import-scene.ts';
import { type OwnMariadb, ownMariadb } from '../testing/mysql-ancestor.ts';
import { pausingProxy } from '../testing/pausing-proxy.ts';
import { PostgresAncestor } from '../testing/postgres-ancestor.ts';
import { runFile } from '../testing/program.ts';
import { mysqlOfTests, postgresOfTests, type ServerAncestor, type ServerOfTests } from '../testing/source-servers.ts';
import { storedSums, sumsOfLogs } from '../testing/stored-sums.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import type { SourceKind, SourceLimits } from './source.ts';

let mariadb: OwnMariadb;
beforeAll(async () => {
  mariadb = await ownMariadb();
});
afterAll(() => mariadb[Symbol.asyncDispose]());

const servers: readonly (readonly [string, ServerOfTests])[] = [
  ['PostgreSQL', postgresOfTests],
  ['MySQL', mysqlOfTests(() => mariadb)],
];
const kinds: readonly SourceKind[] = ['one-api', 'new-api'];

const owner = { id: 1, username: 'root', role: 100, password: oldPassword.cheapHash };
const many = 16_000;
const since = Date.parse('2025-11-01T00:00:00Z') / 1000;

/** What a server takes where SQLite takes anything: times in its own form. */
async function filled(server: ServerOfTests, kind: SourceKind): Promise<ServerAncestor> {
  const source = await server.create(kind);
  for (const [table, rows] of Object.entries(ancestorRows(kind))) {
    for (const { deleted_at: deleted, ...row } of rows)
      await source.add(table, typeof deleted === 'string' ? { ...row, deleted_at: deleted.slice(0, 19) } : row);
  }
  return source;
}

async function withLogs(server: ServerOfTests): Promise<ServerAncestor> {
  const source = await server.create('new-api');
  await source.add('users', owner, { id: 4, username: 'alice', used_quota: many });
  await source.run(`insert into logs (id, user_id, created_at, type, username, model_name, quota, prompt_tokens)
    select i, 4, ${since} + i - 6000, 2, 'alice', 'gpt-4o', 1, 2 from ${server.numbers(many)}`);
  return source;
}

const logsOf = (into: Pick<TestDatabase, 'location'>) =>
  asking(into, (database) => database.selectFrom('logs').selectAll().orderBy('id').execute());

async function expectEqualBooks(into: Pick<TestDatabase, 'location'>) {
  expect(await checkStoredLedger(into.location)).toMatchObject({ drift: 0, log_drift: 0 });
  const { stored, counted } = await asking(into, async (database) => ({
    stored: await storedSums(database),
    counted: await sumsOfLogs(database),
  }));
  expect(stored).toEqual(counted);
}

async function expectAllLogs(into: Pick<TestDatabase, 'location'>) {
  const logs = await logsOf(into);
  expect(new Set(logs.map(({ created_at }) => created_at)).size).toBe(many);
  expect(logs).toHaveLength(many);
  expect((await wholeDatabase(into))['users']?.[1]).toMatchObject({ used_quota: many, unlogged_quota: 0 });
  await expectEqualBooks(into);
}

describe.each(servers)('a gateway on %s', (name, server) => {
  test.each(kinds)('comes as it does from a file, every row, change and reason of %s, and comes once', async (kind) => {
    using file = new AncestorDatabase(kind);
    for (const [table, rows] of Object.entries(ancestorRows(kind))) file.add(table, ...rows);
    await using source = await filled(server, kind);
    await using fromFile = await createTestDatabase();
    await using fromServer = await createTestDatabase();
    const [, ...said] = await importFrom(file, fromFile, { logsSince: 0 });
    const [, ...planned] = await importFrom(source, fromServer, { isDryRun: true });
    expect((await wholeDatabase(fromServer))['imported_rows']).toEqual([]);
    const [place, ...saidOfServer] = await importFrom(source, fromServer, { logsSince: 0 });
    expect(place).toMatch(new RegExp(`^${name} at [^@]+ is a database of (One API|new-api)\\.$`));
    expect(saidOfServer).toEqual(said);
    expect(said).toEqual(expect.arrayContaining(planned.slice(0, -1)));
    expect(said).toContain('  channel 10 "far too long" stays behind: has a text of more than a million characters');
    expect(await comparableDatabase(fromServer)).toEqual(await comparableDatabase(fromFile));
    await expectEqualBooks(fromServer);
    const before = await wholeDatabase(fromServer);
    await importFrom(source, fromServer, { logsSince: 0 });
    expect(await wholeDatabase(fromServer)).toEqual(before);
  });

  test('gives its logs since a day, wherever among them that begins', async () => {
    await using source = await withLogs(server);
    await using stored = await createTestDatabase();
    expect((await importFrom(source, stored, { logsSince: since })).at(-1)).toMatch(
      /^logs: 10001 read, 10001 come, 0 stay/,
    );
    expect((await logsOf(stored)).map(({ created_at }) => created_at - since)).toEqual(
      Array.from({ length: 10_001 }, (_, index) => index),
    );
    await expectEqualBooks(stored);
  });

  test.each(['sqlite', 'postgres'] as const)(
    '[A9.1] whoever is killed among its logs goes on where he was, into %s: none missing and none twice',
    async (target) => {
      await using source = await withLogs(server);
      // The second page is never answered: whenever the kill comes, it comes after the first.
      for (const statement of server.neverAfter(5000)) await source.run(statement);
      await using stored = await createTestDatabase(target);
      const args = ['--from', source.path, '--logs-since', '2025-01-01'];
      await using program = runFile('import.ts', args, { environment: { ...stored.environment } });
      await program.line(/^logs: 5000 read$/);
      program.process.kill('SIGKILL');
      expect(await program.exit).toMatchObject({ signal: 'SIGKILL' });
      expect(await logsOf(stored)).toHaveLength(5000);
      await expectEqualBooks(stored);
      await server.restore(source);
      await using again = runFile('import.ts', args, { environment: { ...stored.environment } });
      expect(await again.exit).toMatchObject({ code: 0 });
      await expectAllLogs(stored);
      const before = await wholeDatabase(stored);
      await importFrom(source, stored, { logsSince: since });
      expect(await wholeDatabase(stored)).toEqual(before);
    },
  );

  const impatient: SourceLimits = { connectMs: 2000, statementMs: 2000, lockMs: 1000, graceMs: 100 };

  test.each([
    ['falls silent before anything was read', 'freeze', /is a database of/],
    ['falls silent among its logs', 'freeze', /^logs: 5000 read$/],
    ['hangs up before anything was read', 'cut', /is a database of/],
    ['hangs up among its logs', 'cut', /^logs: 5000 read$/],
  ] as const)('[A54.10] that %s ends the import in words, and the next run brings the rest', async (_, act, when) => {
    await using source = await withLogs(server);
    await using proxy = await pausingProxy(source.path);
    await using stored = await createTestDatabase();
    const sourceLimits = act === 'freeze' ? impatient : undefined;
    const say = (line: string) => void (when.test(line) && proxy[act]());
    await expect(
      importFrom({ path: proxy.url }, stored, { logsSince: 0, say, ...(sourceLimits && { sourceLimits }) }),
    ).rejects.toThrow(/ cannot be read \([^)]+\)\.$/);
    await expectEqualBooks(stored);
    await importFrom(source, stored, { logsSince: 0 });
    await expectAllLogs(stored);
  });

  test('[A54.10] that takes a connection and never says a word ends the import in words', async () => {
    await using silent = Object.assign(createServer(), {
      async [Symbol.asyncDispose]() {
        silent.close();
      },
    });
    silent.on('connection', (socket) => socket.unref().on('error', () => undefined));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const path = `${name === 'MySQL' ? 'mysql' : 'postgres'}://reader:hidden@127.0.0.1:${port}/one`;
    await using stored = await createTestDatabase();
    const sourceLimits = { ...impatient, connectMs: 300 };
    await expect(importFrom({ path }, stored, { sourceLimits })).rejects.toThrow(/^[^@]+ cannot be read \([^)]+\)\.$/);
  });
});

describe('two imports at once', () => {
  test('[A54.11] of the same logs bring each of them once, and one says why it ends', async () => {
    await using source = await withLogs(postgresOfTests);
    await source.run(`create function kept(number bigint) returns bigint language plpgsql stable as
        $$ begin while not pg_try_advisory_xact_lock_shared(42) loop perform pg_sleep(0.02); end loop; return number; end $$;
      alter table logs rename to true_logs;
      create view logs as select id, user_id, created_at, type, username, model_name, prompt_tokens,
        case when id > 5000 then kept(quota) else quota end as quota from true_logs`);
    await source.run('select pg_advisory_lock(42)');
    await using stored = await createTestDatabase();
    const lines: string[] = [];
    const first = importFrom(source, stored, { logsSince: 0, say: (line) => void lines.push(line) }).then(
      () => 'it ended well',
      (error: Error) => error.message,
    );
    await expect.poll(() => lines, { timeout: 100_000 }).toContain('logs: 5000 read');
    using file = new AncestorDatabase('new-api').add('users', owner, { id: 4, username: 'alice', used_quota: many });
    file.run(`insert into logs (id, user_id, created_at, type, username, model_name, quota, prompt_tokens)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${many})
      select i, 4, ${since} + i - 6000, 2, 'alice', 'gpt-4o', 1, 2 from n`);
    expect((await importFrom(file, stored, { logsSince: 0 })).at(-1)).toMatch(/^logs: 11000 read, 11000 come/);
    await source.run('select pg_advisory_unlock(42)');
    expect(await first).toMatch(/^Another import brings these logs/);
    await expectAllLogs(stored);
  });

  test('[A54.11] of users: the second is told to wait, and the first brings them once', async () => {
    await using source = await PostgresAncestor.create('one-api');
    await source.add('users', owner, { id: 4, username: 'alice', quota: 70 });
    await using stored = await createTestDatabase();
    await importFrom(source, stored, { isDryRun: true });
    const holder = new pg.Client({ connectionString: stored.location.databaseUrl ?? '' });
    await holder.connect();
    try {
      await holder.query('begin; lock table users in share mode');
      const first = importFrom(source, stored);
      const waiting = () =>
        holder.query(
          'select 1 from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())',
        );
      await expect.poll(async () => (await waiting()).rowCount).toBeGreaterThan(0);
      await expect(importFrom(source, stored)).rejects.toThrow(/^Another import into this database is under way/);
      await holder.query('commit');
      await first;
    } finally {
      await holder.end();
    }
    expect((await wholeDatabase(stored))['users']).toMatchObject([
      { username: 'root' },
      { username: 'alice', quota: 70 },
    ]);
    expect(await checkStoredLedger(stored.location)).toMatchObject({ drift: 0, log_drift: 0 });
  });
});
