import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { channelApi } from '@headgate/contract';
import type { OneApiSourceKind } from '@headgate/importer';
import { describe, expect, test } from 'vitest';
import { checkStoredLedger } from '../../records/ledger/stored-ledger-repository.ts';
import { databaseContents, importFrom, sourceKey, sourcePassword } from '../../testing/commands/import-fixture.ts';
import { SourceDatabase } from '../../testing/commands/source-databases.ts';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { startTestApp } from '../../testing/test-app.ts';

const password = sourcePassword.fastPasswordHash;
const owner = { id: 1, username: 'root', role: 100, password };

const gateway = (kind: OneApiSourceKind) => new SourceDatabase(kind).add('users', owner);

const details = (lines: readonly string[]) => lines.filter((line) => line.startsWith('  ')).map((line) => line.trim());

/** Output and stored data of an import. */
async function imported(source: SourceDatabase) {
  await using stored = await createMigratedDatabase();
  const lines = details(await importFrom(source, stored, { logsSince: 0 }));
  expect(await checkStoredLedger(stored.location)).toMatchObject({ drift: 0, log_drift: 0 });
  return { lines, contents: await databaseContents(stored) };
}

/** Removes the primary keys, so that ids can have any value. */
function withAnyIds(source: SourceDatabase): SourceDatabase {
  for (const table of ['users', 'tokens', 'redemptions', 'channels'])
    source.run(`alter table ${table} rename to true_${table}; create table ${table} as select * from true_${table}`);
  return source;
}

describe('[A54.1] rows without a valid, unique id', () => {
  test.each([
    ['null', null],
    ['a fraction', 1.5],
    ['a string', 'x\n  user 1 "root" is fine'],
    ['a number that is too large', 9_007_199_254_740_993n],
    ['a duplicate', 1],
  ])('rows with %s as an id are skipped, in later runs too', async (_, id) => {
    using source = withAnyIds(gateway('one-api'));
    source.add('users', { id, username: 'twice', quota: 500 });
    source.add('redemptions', { id, key: 'c'.repeat(32) }, { id: 1, key: 'd'.repeat(32) });
    await using stored = await createMigratedDatabase();
    const messages = details(await importFrom(source, stored));
    expect(messages.filter((line) => line.startsWith('user'))).toEqual([
      expect.stringMatching(/skipped: has (an id|the same id)/),
    ]);
    const before = await databaseContents(stored);
    expect(before['users']).toMatchObject([{ username: 'root' }]);
    expect(before['redemptions']).toHaveLength(1);
    await importFrom(source, stored);
    expect(await databaseContents(stored)).toEqual(before);
  });
});

describe('[A54.2] imported tokens', () => {
  test('tokens of One API never get more access than before, whatever their lists contain', async () => {
    using source = gateway('one-api');
    source.add(
      'tokens',
      { id: 1, user_id: 1, key: sourceKey(1), models: Buffer.from('gpt-4o'), subnet: Buffer.from('10.0.0.0/8') },
      { id: 2, user_id: 1, key: sourceKey(2), models: ' , ' },
      { id: 3, user_id: 1, key: sourceKey(3), subnet: ',' },
      {
        id: 4,
        user_id: 1,
        key: sourceKey(4),
        models: 'm,'.repeat(3) + Array.from({ length: 20_000 }, (_, n) => `model-${n}`),
      },
      {
        id: 5,
        user_id: 1,
        key: sourceKey(5),
        subnet: Array.from({ length: 500 }, (_, n) => `10.0.${n % 256}.${n % 7}/32`).join(','),
      },
      { id: 6, user_id: 1, key: sourceKey(6), name: 'two\nlines\u202e' },
    );
    const { lines, contents } = await imported(source);
    expect(contents['tokens']).toMatchObject([
      { models: 'gpt-4o', subnet: '10.0.0.0/8', status: 1 },
      { status: 2 },
      { status: 2 },
      { status: 2 },
      { status: 2 },
      { status: 1, name: 'twolines' },
    ]);
    expect(lines).toEqual([
      'token 2 "key" is disabled because it allows no model',
      'token 3 "key" is disabled because it allows no IP address',
      'token 4 "key" is disabled because it has a model list that is too long',
      'token 5 "key" is disabled because it has an IP address list that is too long',
    ]);
  });

  test.each(['TRUE', 'yes', 2, 't', Buffer.from([1])])(
    'tokens of new-api never get more access than before with %j as the model limit flag',
    async (flag) => {
      using source = gateway('new-api');
      source.add('tokens', { id: 1, user_id: 1, key: sourceKey(1), model_limits_enabled: flag, model_limits: 'a' });
      const { contents } = await imported(source);
      expect(contents['tokens']).toMatchObject([{ models: 'a', status: 1 }]);
    },
  );

  test('tokens of new-api never get more access than before if their user cannot have all of their groups', async () => {
    using source = gateway('new-api');
    const groups = Array.from({ length: 40 }, (_, n) => `a group with number ${n}`);
    source.add('options', {
      key: 'UserUsableGroups',
      value: JSON.stringify(Object.fromEntries(groups.map((name) => [name, '']))),
    });
    for (const [n, group] of groups.entries())
      source.add('tokens', { id: n + 1, user_id: 1, key: sourceKey(n), group });
    const { contents } = await imported(source);
    const [{ group }] = contents['users'] as [{ group: string }];
    expect(group.length).toBeLessThanOrEqual(500);
    for (const token of contents['tokens'] as { status: number; groups: string }[])
      expect(token.status === 2 || group.split(',').includes(token.groups)).toBe(true);
  });
});

describe('[A54.3] super admin of the source', () => {
  test('a second super admin becomes an admin', async () => {
    using source = gateway('one-api');
    source.add('users', { id: 2, username: 'other', role: 100, password }, { id: 3, username: 'higher', role: 1e6 });
    const { lines, contents } = await imported(source);
    expect(contents['users']).toMatchObject([{ role: 100 }, { role: 10 }, { role: 10 }]);
    expect(lines).toContain('user 2 "other" becomes an admin, because "root" is the super admin here');
  });

  test('a super admin added to the source after the first run becomes an admin', async () => {
    using source = gateway('one-api');
    await using stored = await createMigratedDatabase();
    await importFrom(source, stored);
    source.add('users', { id: 2, username: 'late', role: 100, password });
    await importFrom(source, stored);
    expect((await databaseContents(stored))['users']).toMatchObject([{ role: 100 }, { username: 'late', role: 10 }]);
  });
});

describe('[A54.6] settings of another gateway', () => {
  test('imported settings do not redirect existing secrets, and do not enable features whose required settings are missing', async () => {
    using source = gateway('one-api').add(
      'options',
      { key: 'SMTPPort', value: '2525' },
      { key: 'WeChatServerAddress', value: 'https://elsewhere.example' },
      { key: 'SMTPServer', value: 'mail.elsewhere.example' },
      { key: 'EmailVerificationEnabled', value: 'true' },
      { key: 'SystemName', value: 'Theirs' },
      { key: 'constructor', value: 'x' },
    );
    await using stored = await createMigratedDatabase();
    await using app = await startTestApp({
      on: stored,
      options: { SMTPToken: 'ours', WeChatServerToken: 'ours', SMTPServer: '' },
    });
    await app.close();
    const messages = details(await importFrom(source, stored));
    expect(messages).toEqual([
      'option SMTPPort skipped: would send a secret that is set here to another server',
      'option WeChatServerAddress skipped: would send a secret that is set here to another server',
      expect.stringMatching(/^option SMTPServer skipped: /),
      'option EmailVerificationEnabled skipped: needs SMTPServer, which is not set',
      'option constructor skipped: is not an option here',
    ]);
    const { options } = await databaseContents(stored);
    expect(options).toContainEqual({ key: 'SystemName', value: 'Theirs' });
    expect(options).not.toContainEqual(expect.objectContaining({ key: 'EmailVerificationEnabled' }));
  });

  test("imported settings cannot set a channel's base URL to one that an admin could not set", async () => {
    using source = gateway('one-api');
    const addresses = [
      'http://169.254.169.254',
      'http://[::ffff:169.254.169.254]/',
      'file:///etc/passwd',
      'https://u:p@a.example',
    ];
    for (const [n, base_url] of addresses.entries()) source.add('channels', { id: n + 1, key: 'k', base_url });
    const { lines, contents } = await imported(source);
    expect(contents['channels']).toEqual([]);
    expect(lines).toHaveLength(addresses.length);
    expect(lines.join()).not.toContain('u:p');
  });
});

test('[A54.7] output lines contain no control characters, line breaks or keys', async () => {
  using source = gateway('new-api');
  const evil = 'x\u001b[2J\u009b31m\n\u202egnihton\u2028';
  source.add('users', { id: 2, username: evil, group: evil }, { id: 3, username: 'b\u009bob', email: evil });
  source.add('options', { key: evil, value: 'x' }, { key: 'EmailDomainWhitelist', value: `a${evil}` });
  source.add('tokens', { id: 1, user_id: 1, key: sourceKey(1), name: evil, group: evil, allow_ips: evil });
  source.add(
    'channels',
    { id: 1, type: 8, key: 'k', name: evil, base_url: 'https://a.example/v1?api_key=sk-hidden' },
    { id: 2, key: 'k', name: evil, models: `${evil},x` },
  );
  source.add('options', { key: 'ModelPrice', value: JSON.stringify({ [evil]: 1 }) });
  source
    .add('custom_oauth_providers', { id: 1, name: evil })
    .add('user_oauth_bindings', { user_id: 1, provider_id: 1 });
  await using stored = await createMigratedDatabase();
  const lines = await importFrom(source, stored);
  expect(lines.length).toBeGreaterThan(10);
  for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
  expect(lines.join()).not.toContain('hidden');
});

test('[A54.8] sign-in methods that cannot be imported are reported one by one', async () => {
  using source = gateway('new-api');
  source.add('users', { id: 2, username: 'alice', password });
  source.add('custom_oauth_providers', { id: 7, name: 'Our company' });
  source.add(
    'user_oauth_bindings',
    { user_id: 2, provider_id: 7 },
    { user_id: 2, provider_id: 8 },
    { user_id: 9, provider_id: 7 },
  );
  source.add('passkey_credentials', { user_id: 2 }, { user_id: 1, deleted_at: '2026-01-01' });
  const { lines } = await imported(source);
  expect(lines).toEqual([
    'user 2 "alice" signs in without a passkey until one is set up again',
    'user 2 "alice" no longer signs in with "Our company"',
    'user 2 "alice" no longer signs in with "provider 8"',
  ]);
});

/** Overwrites the first page of a table with garbage. */
function damagePageOf(path: string, table: string): void {
  const file = new DatabaseSync(path, { readOnly: true });
  const found = file
    .prepare('select rootpage, page_size from sqlite_schema, pragma_page_size where name = ?')
    .get(table);
  file.close();
  const bytes = readFileSync(path);
  const [page, size] = [Number(found?.['rootpage']), Number(found?.['page_size'])];
  bytes.fill(0xff, (page - 1) * size, page * size);
  writeFileSync(path, bytes);
}

test('[A54.9] a file with views instead of tables, or a damaged one, is rejected with a message', async () => {
  using endless = gateway('one-api');
  endless.run(`alter table users rename to true_users; create view users as
    with recursive n (id) as (select 1 union all select id + 1 from n)
    select id, 'u' || id as username, '' as password, 1 as role, 0 as quota, 0 as used_quota from n`);
  await using stored = await createMigratedDatabase();
  await expect(importFrom(endless, stored)).rejects.toThrow(/is not a One API or new-api database/);
  using damaged = gateway('one-api');
  damagePageOf(damaged.path, 'tokens');
  await expect(importFrom(damaged, stored)).rejects.toThrow(/^File .+ cannot be read \(/);
  await expect(importFrom({ path: import.meta.dirname }, stored)).rejects.toThrow(/is not a file\.$/);
});

test('[A54.1] names of inherited properties are treated as ordinary names', async () => {
  using source = gateway('one-api');
  source.add('users', { id: 2, username: '__proto__', password, group: '__proto__', quota: 10 });
  source.add('users', { id: 3, username: 'constructor', password, group: 'constructor', aff_code: 'constructor' });
  source.add('channels', { id: 1, key: 'k', name: 'constructor', models: '__proto__,constructor', group: '__proto__' });
  await using stored = await createMigratedDatabase();
  await importFrom(source, stored);
  await using app = await startTestApp({ on: stored });
  const channels = await (await app.as('root')).call(channelApi.list, { query: {} });
  expect(channels).toMatchObject([{ name: 'constructor', models: '__proto__,constructor', group: '__proto__' }]);
});
