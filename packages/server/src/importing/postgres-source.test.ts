import { done, opening, piece, StubUpstream, stop, stream, usageEvent } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { checkStoredLedger } from '../ledger/stored-ledger-repository.ts';
import { AncestorDatabase } from '../testing/ancestor-databases.ts';
import { ancestorRows } from '../testing/ancestor-rows.ts';
import { asking, comparableDatabase, importFrom, oldKey, oldPassword, wholeDatabase } from '../testing/import-scene.ts';
import { PostgresAncestor } from '../testing/postgres-ancestor.ts';
import { runFile } from '../testing/program.ts';
import { storedSums, sumsOfLogs } from '../testing/stored-sums.ts';
import { startTestApp } from '../testing/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import type { SourceKind } from './source.ts';

async function filled(kind: SourceKind): Promise<PostgresAncestor> {
  const source = await PostgresAncestor.create(kind);
  for (const [table, rows] of Object.entries(ancestorRows(kind))) await source.add(table, ...rows);
  return source;
}

const owner = { id: 1, username: 'root', role: 100, password: oldPassword.cheapHash };

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

describe.each(['one-api', 'new-api'] as const)('%s on PostgreSQL', (kind) => {
  test('comes as it does from a file: every row, every change and every reason', async () => {
    using file = new AncestorDatabase(kind);
    for (const [table, rows] of Object.entries(ancestorRows(kind))) file.add(table, ...rows);
    await using server = await filled(kind);
    await using fromFile = await createTestDatabase();
    await using fromServer = await createTestDatabase();
    const [, ...said] = await importFrom(file, fromFile, { logsSince: 0 });
    const [place, ...saidOfServer] = await importFrom(server, fromServer, { logsSince: 0 });
    expect(place).toMatch(/^PostgreSQL at [^@]+ is a database of (One API|new-api)\.$/);
    expect(saidOfServer).toEqual(said);
    expect(said).toContain('  channel 10 "far too long" stays behind: has a text of more than a million characters');
    expect(await comparableDatabase(fromServer)).toEqual(await comparableDatabase(fromFile));
    await expectEqualBooks(fromServer);
  });

  test('is only looked at by a dry run, and a second run changes nothing', async () => {
    await using source = await filled(kind);
    await using stored = await createTestDatabase('sqlite');
    const planned = await importFrom(source, stored, { isDryRun: true });
    expect((await wholeDatabase(stored))['imported_rows']).toEqual([]);
    expect((await importFrom(source, stored)).slice(0, -1)).toEqual(planned.slice(0, -1));
    await importFrom(source, stored, { logsSince: 0 });
    const before = await wholeDatabase(stored);
    await importFrom(source, stored, { logsSince: 0 });
    expect(await wholeDatabase(stored)).toEqual(before);
    await expectEqualBooks(stored);
  });

  test('is served by the next start: the old password signs in, the old key streams', async () => {
    await using upstream = Object.assign(
      await StubUpstream.start(stream([opening, piece('Hello'), stop, usageEvent, done])),
      {
        [Symbol.asyncDispose](this: StubUpstream) {
          return this.close();
        },
      },
    );
    await using source = await filled(kind);
    const type = kind === 'one-api' ? 50 : 60;
    await source.add('channels', { id: 60, type, key: 'sk-up', base_url: upstream.url, group: 'vip', priority: 9 });
    await using stored = await createTestDatabase();
    await importFrom(source, stored);
    await using app = await startTestApp({ on: stored });
    await app.signedIn('alice', oldPassword.text);
    const answer = await fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${oldKey(3)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
    });
    expect(await answer.text()).toContain('Hello');
    expect(await checkStoredLedger(stored.location)).toMatchObject({ drift: 0, log_drift: 0 });
  });
});

test('[A50.1] what stands in place of a table cannot write there either', async () => {
  await using source = await PostgresAncestor.create('one-api');
  await source.add('users', owner);
  await source.run(`create table traces (word text);
    create function leave_trace() returns boolean language plpgsql as
      $$ begin insert into traces values ('read'); return true; end $$;
    alter table users rename to true_users;
    create view users as select * from true_users where leave_trace()`);
  await using stored = await createTestDatabase();
  await expect(importFrom(source, stored)).rejects.toThrow(/^PostgreSQL at .+ cannot be read \(25006\)\.$/);
  expect(await source.run('select * from traces')).toEqual([]);
  expect((await wholeDatabase(stored))['imported_rows']).toEqual([]);
});

test('an account that may only read is enough', async () => {
  await using source = await PostgresAncestor.create('new-api');
  await source.add('users', owner);
  const name = new URL(source.path).pathname.slice(1);
  await source.run(`create role reader_${name} login password 'it may read';
    grant select on all tables in schema public to reader_${name}`);
  try {
    const address = new URL(source.path);
    address.username = `reader_${name}`;
    address.password = 'it may read';
    await using stored = await createTestDatabase();
    const lines = await importFrom({ path: address.href }, stored, { logsSince: 0 });
    expect(lines[1]).toBe('users: 1 read, 1 come, 0 here already, 0 stay behind');
    expect(lines.join('\n')).not.toMatch(/reader_|it may|it%20may/);
  } finally {
    await source.run(`drop owned by reader_${name}; drop role reader_${name}`);
  }
});

test('[A50.2] a table that somebody keeps locked ends the import in words, and nothing has come', async () => {
  await using source = await PostgresAncestor.create('one-api');
  await source.add('users', owner);
  await source.run('begin; lock table redemptions in access exclusive mode');
  await using stored = await createTestDatabase();
  await expect(importFrom(source, stored)).rejects.toThrow(/^PostgreSQL at .+ cannot be read \(55P03\)\.$/);
  expect((await wholeDatabase(stored))['imported_rows']).toEqual([]);
});

test.each([
  ['a server that is not there', 'postgres://somebody:hidden@127.0.0.1:1/one', /cannot be read \(ECONNREFUSED\)/],
  ['a password with characters that end an address', 'postgres://somebody:hid#den@127.0.0.1/one', /no valid address/],
  ['no address at all', 'postgres://somebody:hidden@[/one', /no valid address/],
])('[A50.3] %s is said in one sentence, without the password', async (_, from, sentence) => {
  await using stored = await createTestDatabase();
  await using program = runFile('import.ts', ['--from', from], { environment: { ...stored.environment } });
  const { code, stdout, stderr } = await program.exit;
  expect(code).toBe(1);
  expect(stderr).toMatch(sentence);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stdout + stderr).not.toMatch(/hid|somebody/);
});

test('a database of another program is none that can be read', async () => {
  await using source = await PostgresAncestor.create('one-api');
  await source.run('drop table tokens');
  await using stored = await createTestDatabase();
  await expect(importFrom(source, stored)).rejects.toThrow(/is a database of neither One API nor new-api/);
});

describe('many logs', () => {
  const many = 16_000;
  const since = Date.parse('2025-11-01T00:00:00Z') / 1000;
  async function withLogs() {
    const source = await PostgresAncestor.create('new-api');
    await source.add('users', owner, { id: 4, username: 'alice', used_quota: many });
    await source.run(`insert into logs (id, user_id, created_at, type, username, model_name, quota, prompt_tokens)
      select i, 4, ${since} + i - 6000, 2, 'alice', 'gpt-4o', 1, 2 from generate_series(1, ${many}) as i`);
    return source;
  }

  test('come since a day, wherever among them that begins', async () => {
    await using source = await withLogs();
    await using stored = await createTestDatabase();
    expect((await importFrom(source, stored, { logsSince: since })).at(-1)).toMatch(
      /^logs: 10001 read, 10001 come, 0 stay/,
    );
    expect((await logsOf(stored)).map(({ created_at }) => created_at - since)).toEqual(
      Array.from({ length: 10_001 }, (_, index) => index),
    );
    await expectEqualBooks(stored);
  });

  test('[A9.1] whoever is killed among them goes on where he was, none missing and none twice', async () => {
    await using source = await withLogs();
    // The second page is never answered: whenever the kill comes, it comes after the first.
    await source.run(`create function kept(number bigint) returns bigint language plpgsql stable as
        $$ begin perform pg_sleep(50); return number; end $$;
      alter table logs rename to true_logs;
      create view logs as select id, user_id, created_at, type, username, model_name,
        case when id > 5000 then kept(quota) else quota end as quota, prompt_tokens from true_logs`);
    await using stored = await createTestDatabase();
    const args = ['--from', source.path, '--logs-since', '2025-01-01'];
    await using program = runFile('import.ts', args, { environment: { ...stored.environment } });
    await program.line(/^logs: 5000 read$/);
    program.process.kill('SIGKILL');
    expect(await program.exit).toMatchObject({ signal: 'SIGKILL' });
    expect(await logsOf(stored)).toHaveLength(5000);
    await expectEqualBooks(stored);
    await source.run(`select pg_terminate_backend(pid, 30000) from pg_stat_activity
      where datname = current_database() and application_name = 'headgate import'`);
    await source.run('drop view logs; alter table true_logs rename to logs');
    await using again = runFile('import.ts', args, { environment: { ...stored.environment } });
    expect(await again.exit).toMatchObject({ code: 0 });
    const logs = await logsOf(stored);
    expect(new Set(logs.map(({ created_at }) => created_at)).size).toBe(many);
    expect(logs).toHaveLength(many);
    expect((await wholeDatabase(stored))['users']?.[1]).toMatchObject({ used_quota: many, unlogged_quota: 0 });
    await expectEqualBooks(stored);
    const before = await wholeDatabase(stored);
    await importFrom(source, stored, { logsSince: since });
    expect(await wholeDatabase(stored)).toEqual(before);
  });
});
