import type { OneApiSourceKind } from '@headgate/importer';
import { done, roleChunk, StubUpstream, stop, stream, textChunk, usageEvent } from '@headgate/testkit';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { StartFailure } from '../../platform/errors/start-failure.ts';
import { checkStoredLedger } from '../../records/ledger/stored-ledger-repository.ts';
import { databaseContents, importFrom, sourceKey, sourcePassword } from '../../testing/commands/import-fixture.ts';
import { PostgresSourceDatabase } from '../../testing/commands/postgres-source-database.ts';
import { sourceRows } from '../../testing/commands/source-rows.ts';
import { tablesOnPostgres } from '../../testing/commands/source-tables.ts';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { startTestApp } from '../../testing/test-app.ts';

async function filled(kind: OneApiSourceKind): Promise<PostgresSourceDatabase> {
  const source = await PostgresSourceDatabase.create(kind);
  for (const [table, rows] of Object.entries(sourceRows(kind))) await source.add(table, ...rows);
  return source;
}

const owner = { id: 1, username: 'root', role: 100, password: sourcePassword.fastPasswordHash };

describe.each(['one-api', 'new-api'] as const)('%s on PostgreSQL', (kind) => {
  test('imported users can sign in with their password, and imported keys work', async () => {
    await using upstream = Object.assign(
      await StubUpstream.start(stream([roleChunk, textChunk('Hello'), stop, usageEvent, done])),
      {
        [Symbol.asyncDispose](this: StubUpstream) {
          return this.close();
        },
      },
    );
    await using source = await filled(kind);
    const type = kind === 'one-api' ? 50 : 60;
    await source.add('channels', { id: 60, type, key: 'sk-up', base_url: upstream.url, group: 'vip', priority: 9 });
    await using stored = await createMigratedDatabase();
    await importFrom(source, stored);
    await using app = await startTestApp({ on: stored });
    await app.signedIn('alice', sourcePassword.text);
    const response = await fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${sourceKey(3)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
    });
    expect(await response.text()).toContain('Hello');
    expect(await checkStoredLedger(stored.location)).toMatchObject({ drift: 0, log_drift: 0 });
  });
});

test('[A50.1] a view instead of a table cannot write to the source', async () => {
  await using source = await PostgresSourceDatabase.create('one-api');
  await source.add('users', owner);
  await source.run(`create table traces (word text);
    create function leave_trace() returns boolean language plpgsql as
      $$ begin insert into traces values ('read'); return true; end $$;
    alter table users rename to true_users;
    create view users as select * from true_users where leave_trace()`);
  await using stored = await createMigratedDatabase();
  await expect(importFrom(source, stored)).rejects.toThrow(/^PostgreSQL at .+ cannot be read \(25006\)\.$/);
  expect(await source.run('select * from traces')).toEqual([]);
  expect((await databaseContents(stored))['imported_rows']).toEqual([]);
});

test('a read-only account is sufficient', async () => {
  await using source = await PostgresSourceDatabase.create('new-api');
  await source.add('users', owner);
  const name = new URL(source.path).pathname.slice(1);
  await source.run(`create role reader_${name} login password 'it may read';
    grant select on all tables in schema public to reader_${name}`);
  try {
    const address = new URL(source.path);
    address.username = `reader_${name}`;
    address.password = 'it may read';
    await using stored = await createMigratedDatabase();
    const lines = await importFrom({ path: address.href }, stored, { logsSince: 0 });
    expect(lines[2]).toBe('users: 1 read, 1 to import, 0 already imported, 0 skipped');
    expect(lines.join('\n')).not.toMatch(/reader_|it may|it%20may/);
  } finally {
    await source.run(`drop owned by reader_${name}; drop role reader_${name}`);
  }
});

test('[A50.2] a locked table ends the import with a message, and nothing is imported', async () => {
  await using source = await PostgresSourceDatabase.create('one-api');
  await source.add('users', owner);
  await source.run('begin; lock table redemptions in access exclusive mode');
  await using stored = await createMigratedDatabase();
  await expect(importFrom(source, stored)).rejects.toThrow(/^PostgreSQL at .+ cannot be read \(55P03\)\.$/);
  expect((await databaseContents(stored))['imported_rows']).toEqual([]);
});

test.each([
  [
    'an unreachable server',
    'postgres://somebody:hidden@127.0.0.1:1/one',
    /cannot be read \(ECONNREFUSED: connection refused\)/,
  ],
  ['a password with unencoded characters', 'postgres://somebody:hid#den@127.0.0.1/one', /Invalid database address/],
  ['an unparsable address', 'postgres://somebody:hidden@[/one', /Invalid database address/],
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

test('a database of another program is rejected', async () => {
  await using source = await PostgresSourceDatabase.create('one-api');
  await source.run('drop table tokens');
  await using stored = await createMigratedDatabase();
  await expect(importFrom(source, stored)).rejects.toThrow(/is not a One API, new-api or LiteLLM database/);
});

test('[A54.12] the import takes no locks on the source that block writers (verified with a view on pg_locks)', async () => {
  await using source = await PostgresSourceDatabase.create('one-api');
  await source.add('users', owner);
  await source.run(`drop table options; create view options as select 'SystemName'::text as "key",
    (select string_agg(distinct mode, ',' order by mode) from pg_locks where pid = pg_backend_pid() and locktype = 'relation') as value`);
  await using stored = await createMigratedDatabase();
  await importFrom(source, stored);
  expect((await databaseContents(stored))['options']).toEqual([{ key: 'SystemName', value: 'AccessShareLock' }]);
});

test('[A54.12] tables are found through the search path, each in its own schema', async () => {
  await using source = await PostgresSourceDatabase.create('one-api');
  await source.add('users', owner);
  await source.run(`create schema gateway; create schema decoy; create table decoy.users (id text, username text);
    alter table users set schema gateway; alter table tokens set schema gateway; alter table logs set schema gateway`);
  const path = `${source.path}?options=${encodeURIComponent('-c search_path=nothing,gateway,public,decoy')}`;
  await using stored = await createMigratedDatabase();
  expect((await importFrom({ path }, stored))[2]).toBe('users: 1 read, 1 to import, 0 already imported, 0 skipped');
  await expect(importFrom(source, stored)).rejects.toThrow(/is not a One API, new-api or LiteLLM database/);
});

test('[A54.12] rows hidden from the account end the import with a message instead of being skipped', async () => {
  await using source = await PostgresSourceDatabase.create('one-api');
  await source.add('users', owner, { id: 2, username: 'unseen', quota: 5 });
  const role = `reader_${new URL(source.path).pathname.slice(1)}`;
  await source.run(`create role ${role} login password 'it may read'; grant select on all tables in schema public to ${role};
    alter table users enable row level security; create policy own_rows on users using (id = 1)`);
  try {
    const address = new URL(source.path);
    address.username = role;
    address.password = 'it may read';
    await using stored = await createMigratedDatabase();
    await expect(importFrom({ path: address.href }, stored)).rejects.toThrow(
      /cannot be read \(42501: this user may not read all tables and rows\)\.$/,
    );
    expect((await databaseContents(stored))['imported_rows']).toEqual([]);
  } finally {
    await source.run(`drop owned by ${role}; drop role ${role}`);
  }
});

test('[A54.13] undecodable bytes and binary columns do not stop an import', async () => {
  await using server = await PostgresSourceDatabase.create('one-api');
  const name = `${new URL(server.path).pathname.slice(1)}_ascii`;
  await server.run(`create database ${name} template template0 encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'`);
  try {
    const address = new URL(server.path);
    address.pathname = `/${name}`;
    const client = new pg.Client({ connectionString: address.href });
    await client.connect();
    for (const table of tablesOnPostgres('one-api')) await client.query(table);
    await client.query(`insert into users (id, username, password, display_name, role, status, quota, used_quota, "group")
      values (1, 'root', '', convert_from('\\xff41', 'SQL_ASCII'), 100, 1, 7, 0, 'default');
      alter table tokens alter models type bytea using models::bytea;
      insert into tokens (id, user_id, key, status, expired_time, unlimited_quota, models)
      values (1, 1, '${sourceKey(1)}', 1, -1, true, 'gpt-4o')`);
    await client.end();
    await using stored = await createMigratedDatabase();
    await importFrom({ path: address.href }, stored);
    const { users, tokens } = await databaseContents(stored);
    expect(users).toMatchObject([{ username: 'root', quota: 7, display_name: '\ufffdA' }]);
    expect(tokens).toMatchObject([{ models: 'gpt-4o' }]);
  } finally {
    await server.run(`drop database ${name} with (force)`);
  }
});
