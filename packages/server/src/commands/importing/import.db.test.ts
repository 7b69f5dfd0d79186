import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { channelApi, ledgerApi, optionApi, role, tokenApi, userApi } from '@headgate/contract';
import type { OneApiSourceKind } from '@headgate/importer';
import { done, roleChunk, StubUpstream, stop, stream, textChunk, usageEvent } from '@headgate/testkit';
import { describe, expect, inject, test } from 'vitest';
import { currentTable } from '../../platform/db/current-tables.ts';
import { StartFailure } from '../../platform/errors/start-failure.ts';
import { checkStoredLedger } from '../../records/ledger/stored-ledger-repository.ts';
import { fastPasswordHash } from '../../testing/accounts/fast-password-hash.ts';
import {
  databaseContents,
  importFrom,
  queryDatabase,
  sourceKey,
  sourcePassword,
} from '../../testing/commands/import-fixture.ts';
import { SourceDatabase } from '../../testing/commands/source-databases.ts';
import { createMigratedDatabase, createTestDatabase } from '../../testing/database/test-database.ts';
import { startTestApp } from '../../testing/test-app.ts';

/** Row mapping does not depend on the target database, so one source kind is enough on PostgreSQL. */
const kinds: readonly OneApiSourceKind[] = inject('database') === 'sqlite' ? ['one-api', 'new-api'] : ['new-api'];

/** A small gateway: root, an admin, and two users, one of them invited, with their data. */
function gateway(kind: OneApiSourceKind): SourceDatabase {
  const source = new SourceDatabase(kind);
  const owner = { username: 'root', role: 100, password: sourcePassword.fastPasswordHash, quota: 400, used_quota: 100 };
  source.add(
    'users',
    { id: 1, ...owner, aff_code: 'RooT' },
    { id: 2, username: 'boss', role: 10, password: sourcePassword.hash, email: 'Boss@Example.com', aff_code: 'b0Ss' },
    {
      id: 5,
      username: 'alice',
      password: sourcePassword.fastPasswordHash,
      quota: 1_000_000,
      used_quota: 250,
      group: 'vip',
    },
    {
      id: 9,
      username: 'bob',
      password: sourcePassword.fastPasswordHash,
      quota: -7,
      used_quota: 50,
      inviter_id: 2,
      wechat_id: 'wx_1',
    },
  );
  source.add(
    'tokens',
    { id: 3, user_id: 5, key: sourceKey(3), name: 'phone', used_quota: 9 },
    { id: 4, user_id: 9, key: sourceKey(4), name: 'limited', unlimited_quota: 0, remain_quota: 77 },
    { id: 8, user_id: 1, key: `sk-${sourceKey(8)}`, name: 'prefixed' },
  );
  source.add('redemptions', { id: 1, user_id: 2, key: 'c'.repeat(32), quota: 500 });
  source.add('redemptions', { id: 2, user_id: 2, key: 'd'.repeat(32), status: 3, redeemed_time: 1_700_000_000 });
  source.add(
    'options',
    { key: 'GroupRatio', value: '{"default":1,"vip":0.5}' },
    { key: 'SystemName', value: 'Our gateway' },
    { key: 'SMTPToken', value: 'mail secret' },
    { key: 'SMTPServer', value: 'smtp.example.com' },
  );
  return source;
}

const hashOf = ({ path }: SourceDatabase) => createHash('sha256').update(readFileSync(path)).digest('hex');

const counts = (lines: readonly string[]) => lines.filter((line) => /: \d+ read/.test(line));

describe.each(kinds)('importing a database of %s', (kind) => {
  test('imports all accounts, keys, codes and settings, with a balanced ledger', async () => {
    using source = gateway(kind);
    source.add('channels', {
      id: 6,
      type: 14,
      key: 'sk-ant-1',
      name: 'Claude',
      priority: 5,
      weight: 2,
      models: 'claude-a,claude-b',
    });
    // An empty database, as before the first start.
    await using stored = await createTestDatabase();
    const sourceBefore = hashOf(source);
    expect(counts(await importFrom(source, stored))).toEqual([
      'users: 4 read, 4 to import, 0 already imported, 0 skipped',
      'tokens: 3 read, 3 to import, 0 already imported, 0 skipped',
      'channels: 1 read, 1 to import, 0 already imported, 0 skipped',
      'redemption codes: 2 read, 2 to import, 0 already imported, 0 skipped',
      'options: 4 read, 4 to import, 0 already imported, 0 skipped',
    ]);
    expect(hashOf(source)).toBe(sourceBefore);
    expect(await checkStoredLedger(stored.location)).toMatchObject({ users: 4, drift: 0, log_drift: 0 });
    const { users = [], channels, redemptions } = await databaseContents(stored);
    expect(users).toMatchObject([
      {
        username: 'root',
        role: 100,
        quota: 400,
        used_quota: 100,
        credited: 500,
        unlogged_quota: 100,
        aff_code: 'RooT',
      },
      { username: 'boss', role: 10, email: 'boss@example.com', group: 'default', aff_code: 'b0Ss' },
      { username: 'alice', quota: 1_000_000, used_quota: 250, credited: 1_000_250, group: 'vip', name_key: 'alice' },
      {
        username: 'bob',
        quota: -7,
        used_quota: 50,
        credited: 43,
        wechat_id: 'wx_1',
        inviter_id: (users[1] as { id: number }).id,
      },
    ]);
    expect(channels).toMatchObject([{ name: 'Claude', type: 14, priority: 5, weight: 2, group: 'default', status: 1 }]);
    expect(redemptions).toMatchObject([
      { quota: 500, status: 1 },
      { quota: 100, status: 3, redeemed_time: 1_700_000_000 },
    ]);
  });

  test('the gateway serves requests with the imported keys and balances after the next start', async () => {
    await using upstream = Object.assign(
      await StubUpstream.start(stream([roleChunk, textChunk('Hello'), stop, usageEvent, done])),
      {
        [Symbol.asyncDispose](this: StubUpstream) {
          return this.close();
        },
      },
    );
    using source = gateway(kind);
    const type = kind === 'one-api' ? 50 : 60;
    source.add('channels', { id: 6, type, key: 'sk-up', base_url: `${upstream.url}/`, models: 'gpt-4o', group: 'vip' });
    await using stored = await createMigratedDatabase();
    await importFrom(source, stored);
    await using app = await startTestApp({ on: stored });
    const response = await fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${sourceKey(3)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'hi' }] }),
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('Hello');
    const [alice] = await app.database
      .selectFrom(currentTable(app.database, 'users'))
      .selectAll()
      .where('username', '=', 'alice')
      .execute();
    // Half of the plain price, because the group's ratio was imported too.
    expect(alice).toMatchObject({ quota: 1_000_000 - 19, used_quota: 250 + 19, credited: 1_000_250 });
    const root = await app.as('root');
    expect(await root.call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0 });
    const options = await root.call(optionApi.list, { query: { ratios: 'saved' } });
    expect(options).toContainEqual({ key: 'SystemName', value: 'Our gateway' });
    expect(JSON.stringify(options)).not.toContain('mail secret');
    const channels = await root.call(channelApi.list, { query: {} });
    expect(channels).toMatchObject([{ name: 'channel', base_url: upstream.url, key: '' }]);
  });

  test('a second import changes nothing and adds only new data', async () => {
    using source = gateway(kind);
    source.add('channels', { id: 6, key: 'sk-1' });
    await using stored = await createMigratedDatabase();
    await importFrom(source, stored);
    const before = await databaseContents(stored);
    expect(counts(await importFrom(source, stored))).toEqual([
      'users: 4 read, 0 to import, 4 already imported, 0 skipped',
      'tokens: 3 read, 0 to import, 3 already imported, 0 skipped',
      'channels: 1 read, 0 to import, 1 already imported, 0 skipped',
      'redemption codes: 2 read, 0 to import, 2 already imported, 0 skipped',
      'options: 4 read, 0 to import, 4 already imported, 0 skipped',
    ]);
    expect(await databaseContents(stored)).toEqual(before);
    source.add('users', { id: 12, username: 'carol', inviter_id: 5 });
    source.add('tokens', { id: 12, user_id: 12, key: sourceKey(12) });
    const lines = counts(await importFrom(source, stored));
    expect(lines.slice(0, 2)).toEqual([
      'users: 5 read, 1 to import, 4 already imported, 0 skipped',
      'tokens: 4 read, 1 to import, 3 already imported, 0 skipped',
    ]);
    expect(await checkStoredLedger(stored.location)).toMatchObject({ users: 5, drift: 0, log_drift: 0 });
  });

  test('a dry run only reads the source and prints the same report', async () => {
    using source = gateway(kind);
    await using stored = await createMigratedDatabase();
    const output = await importFrom(source, stored, { isDryRun: true });
    expect(counts(output)[0]).toBe('users: 4 read, 4 to import, 0 already imported, 0 skipped');
    expect(output.at(-1)).toBe('Dry run: nothing was written.');
    expect(await importFrom(source, stored, { isDryRun: true, logsSince: 0 })).toContain(
      'logs: not read in a dry run; they are imported page by page after everything else',
    );
    const untouched = await databaseContents(stored);
    expect(untouched['users']).toMatchObject([{ username: 'root', quota: 500_000_000_000_000 }]);
    const empty = { tokens: [], channels: [], redemptions: [], options: [], imported_rows: [] };
    expect(untouched).toMatchObject(empty);
    expect((await importFrom(source, stored)).slice(0, -1)).toEqual(output.slice(0, -1));
  });

  test('imports a source that is in use', async () => {
    using source = gateway(kind);
    await using stored = await createMigratedDatabase();
    source.run('pragma journal_mode = wal');
    source.run('begin immediate');
    source.add('users', { id: 77, username: 'unfinished' });
    expect(counts(await importFrom(source, stored))[0]).toBe(
      'users: 4 read, 4 to import, 0 already imported, 0 skipped',
    );
    source.run('rollback');
  });
});

describe('super admin', () => {
  test('the super admin of the source replaces an unused local one, regardless of the name', async () => {
    using source = new SourceDatabase('one-api').add('users', { id: 1, username: 'owner', role: 100, quota: 5 });
    await using stored = await createMigratedDatabase();
    await using app = await startTestApp({ on: stored });
    await app.close();
    await importFrom(source, stored);
    const { users } = await databaseContents(stored);
    expect(users).toMatchObject([{ username: 'owner', role: role.root, quota: 5, credited: 5, name_key: 'owner' }]);
  });

  test("[A12.1] a local super admin who has signed in is not replaced: the source's super admin becomes an admin", async () => {
    using source = gateway('one-api');
    await using stored = await createMigratedDatabase();
    await using app = await startTestApp({ on: stored });
    await app.signedIn('root', '123456');
    await app.close();
    const before = await databaseContents(stored);
    expect(await importFrom(source, stored)).toContain(
      '  user 1 "root" becomes an admin, because "root" remains the super admin here',
    );
    const { users = [], sessions } = await databaseContents(stored);
    expect(users).toEqual(expect.arrayContaining(before['users'] ?? []));
    expect(sessions).toEqual(before['sessions']);
    expect(users[1]).toMatchObject({ username: 'root_1', role: role.admin, quota: 400 });
  });

  test('the local super admin is kept if the source has none, and existing accounts keep their names and addresses', async () => {
    await using stored = await createMigratedDatabase();
    await using app = await startTestApp({ on: stored });
    await app.createUser({
      username: 'alice',
      email: 'alice@example.com',
      password_hash: fastPasswordHash('correct horse'),
    });
    await app.close();
    using source = new SourceDatabase('one-api').add('users', {
      id: 5,
      username: 'alice',
      email: 'ALICE@example.com',
    });
    const lines = await importFrom(source, stored);
    expect(lines.filter((line) => line.startsWith('  '))).toEqual([
      '  user 5 "alice" has no usable password hash and cannot log in with a password until one is set',
      '  user 5 "alice" is renamed to "alice_5" because the name is taken',
      '  user 5 "alice" loses the email address, which another user has',
    ]);
    const { users } = await databaseContents(stored);
    expect(users).toMatchObject([
      { username: 'root' },
      { username: 'alice', email: 'alice@example.com' },
      { username: 'alice_5', email: null },
    ]);
  });
});

test('existing options keep their values', async () => {
  using source = gateway('one-api');
  await using stored = await createMigratedDatabase();
  await using app = await startTestApp({ on: stored, options: { SystemName: 'Mine' } });
  await app.close();
  const lines = await importFrom(source, stored);
  expect(lines).toContain('  option SystemName skipped: is already set here');
  const options = await queryDatabase(stored, (database) => database.selectFrom('options').selectAll().execute());
  expect(options).toContainEqual({ key: 'SystemName', value: 'Mine' });
});

test('a different database is not mistaken for a previously imported one', async () => {
  using first = gateway('one-api');
  using second = new SourceDatabase('one-api')
    .add('users', { id: 5, username: 'dora' })
    .add('tokens', { id: 3, user_id: 5, key: sourceKey(99) });
  await using stored = await createMigratedDatabase();
  await importFrom(first, stored);
  const before = await databaseContents(stored);
  await expect(importFrom(second, stored)).rejects.toThrow(/^This is not the database that was imported before/);
  expect(await databaseContents(stored)).toEqual(before);
  const lines = counts(await importFrom(second, stored, { as: 'second' }));
  expect(lines[0]).toBe('users: 1 read, 1 to import, 0 already imported, 0 skipped');
});

test('invitations are kept, and an imported code can be redeemed once', async () => {
  using source = gateway('one-api');
  await using stored = await createMigratedDatabase();
  await importFrom(source, stored);
  await using app = await startTestApp({ on: stored });
  await app.database
    .updateTable('users')
    .set({ password_hash: fastPasswordHash('correct horse') })
    .execute();
  const bob = await app.signedIn('bob', 'correct horse');
  expect(await bob.call(userApi.redeem, { body: { key: 'c'.repeat(32) } })).toBe(500);
  await expect(bob.call(userApi.redeem, { body: { key: 'c'.repeat(32) } })).rejects.toThrow();
  await expect(bob.call(userApi.redeem, { body: { key: 'd'.repeat(32) } })).rejects.toThrow();
  expect(await bob.call(tokenApi.list, { query: {} })).toMatchObject([
    { name: 'limited', key: sourceKey(4), remain_quota: 77 },
  ]);
  expect(await (await app.as('admin')).call(ledgerApi.check)).toMatchObject({ drift: 0, log_drift: 0 });
});

describe('unreadable source', () => {
  test.each([
    ['a missing file', '/nowhere/one-api.db', /^File .* not found\.$/],
    ['a file that is not a database', import.meta.filename, /cannot be read/],
  ])('%s is reported in one sentence', async (_, path, sentence) => {
    await using stored = await createMigratedDatabase();
    await expect(importFrom({ path }, stored)).rejects.toThrow(sentence);
    await expect(importFrom({ path }, stored)).rejects.toBeInstanceOf(StartFailure);
  });

  test('a database of another program is reported in one sentence', async () => {
    using other = new SourceDatabase('one-api');
    other.run('drop table tokens');
    await using stored = await createMigratedDatabase();
    await expect(importFrom(other, stored)).rejects.toThrow(/is not a One API or new-api database\.$/);
  });
});

if (inject('database') === 'sqlite')
  test('[A9.2] a server on the same SQLite file must be stopped first', async () => {
    using source = gateway('one-api');
    await using app = await startTestApp();
    await expect(importFrom(source, app)).rejects.toThrow(
      /^Another Headgate process uses the database file .+; stop it first/,
    );
  });
