import { role } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { checkStoredLedger } from '../../records/ledger/stored-ledger-repository.ts';
import { databaseContents, importFrom, sourceKey, sourcePassword } from '../../testing/commands/import-fixture.ts';
import { SourceDatabase } from '../../testing/commands/source-databases.ts';
import { createMigratedDatabase } from '../../testing/database/test-database.ts';
import { startTestApp } from '../../testing/test-app.ts';

const day = 1_760_000_000;

/** A gateway with a super admin who never called a model, a user, a channel and a setting. */
function firstGateway(): SourceDatabase {
  const source = new SourceDatabase('one-api');
  source.add(
    'users',
    {
      id: 1,
      username: 'root',
      role: 100,
      password: sourcePassword.fastPasswordHash,
      quota: 400,
      email: 'root@example.com',
    },
    { id: 2, username: 'alice', quota: 1000, used_quota: 30, aff_code: 'aLiC' },
  );
  source.add('tokens', { id: 1, user_id: 2, key: sourceKey(1), name: 'phone' });
  source.add('channels', { id: 1, key: 'sk-1', name: 'main' });
  source.add('options', { key: 'SystemName', value: 'First' }, { key: 'ModelRatio', value: '{"gpt-4o":9}' });
  return source.add('redemptions', { id: 1, user_id: 1, key: 'c'.repeat(32) });
}

/** Another gateway that conflicts with the first one in every unique value. */
function secondGateway(): SourceDatabase {
  const source = new SourceDatabase('new-api');
  source.add(
    'users',
    { id: 1, username: 'root', role: 100, password: sourcePassword.hash, quota: 777, email: 'root@example.com' },
    { id: 2, username: 'alice', quota: 5, aff_code: 'aLiC', password: sourcePassword.fastPasswordHash },
  );
  source.add('tokens', { id: 1, user_id: 2, key: sourceKey(1), name: 'same key' });
  source.add('tokens', { id: 2, user_id: 2, key: sourceKey(2), name: 'other key' });
  source.add('channels', { id: 1, key: 'sk-2', name: 'main' });
  source.add('options', { key: 'SystemName', value: 'Second' }, { key: 'ModelRatio', value: '{"gpt-4o":1,"o1":3}' });
  source.add('options', { key: 'QuotaPerUnit', value: '1000000' });
  return source.add('redemptions', { id: 1, user_id: 1, key: 'c'.repeat(32) });
}

const decisions = [
  '  user 1 "root" is renamed to "root_1" because the name is taken',
  '  user 1 "root" loses the email address, which another user has',
  '  user 1 "root" becomes an admin, because "root" remains the super admin here',
  '  user 2 "alice" is renamed to "alice_2" because the name is taken',
  '  user 2 "alice" loses the invitation code, which another user has',
  '  token 1 "same key" skipped: has a key that is already in use',
  '  channel 1 "main" has the same name as a channel that exists here; both are kept',
  '  code 1 "code" skipped: has a key that is already in use',
  '  option SystemName skipped: is already set here',
  '  option ModelRatio skipped: is already set here',
  '  option QuotaPerUnit skipped: would change the value of existing balances',
];

/** Tables to which an import may add rows without changing existing ones. Hourly log totals may grow. */
const growing = ['usage_days', 'site_hours', 'meta'];

const decisionsIn = (lines: readonly string[]) => lines.filter((line) => line.startsWith('  ')).sort();

describe('importing a second gateway', () => {
  test.each([
    ['after an import without logs', undefined],
    ['after an import with logs', 0],
  ])('%s changes no existing row and reports every conflict', async (_, logsSince) => {
    using first = firstGateway();
    first.add('logs', { id: 1, user_id: 1, created_at: day, type: 3, content: 'settings changed' });
    first.add('logs', { id: 2, user_id: 2, created_at: day, type: 2, quota: 30, username: 'alice' });
    using second = secondGateway();
    second.add('logs', { id: 1, user_id: 2, created_at: day, type: 2, quota: 0, username: 'alice' });
    await using stored = await createMigratedDatabase();
    await importFrom(first, stored, { logsSince });
    const before = await databaseContents(stored);
    const preview = await importFrom(second, stored, { as: 'second', isDryRun: true });
    expect(decisionsIn(preview)).toEqual([...decisions].sort());
    expect(preview).toContain('super admin: "root" of this gateway is kept');
    expect(await databaseContents(stored)).toEqual(before);
    const lines = await importFrom(second, stored, { as: 'second', logsSince });
    expect(decisionsIn(lines)).toEqual([...decisions].sort());
    const after = await databaseContents(stored);
    for (const [table, rows] of Object.entries(before)) {
      if (!growing.includes(table)) expect(after[table], table).toEqual(expect.arrayContaining(rows));
    }
    expect(after['users']).toMatchObject([
      { username: 'root', role: role.root, quota: 400, password_hash: sourcePassword.fastPasswordHash },
      { username: 'alice', quota: 1000 },
      { username: 'root_1', role: role.admin, quota: 777, password_hash: sourcePassword.hash, email: null },
      { username: 'alice_2', quota: 5, aff_code: null },
    ]);
    expect(await checkStoredLedger(stored.location)).toMatchObject({ users: 4, drift: 0, log_drift: 0 });
  });

  test.each([
    ['password', { password_hash: sourcePassword.fastPasswordHash }],
    ['balance', { quota: 5, credited: 5 }],
    ['email address', { email: 'me@example.com' }],
  ])('keeps a super admin whose %s was changed before the first sign-in', async (_, change) => {
    using source = secondGateway();
    await using stored = await createMigratedDatabase();
    await using app = await startTestApp({ on: stored });
    await app.database.updateTable('users').set(change).execute();
    await app.close();
    const before = await databaseContents(stored);
    const lines = await importFrom(source, stored);
    expect(lines).toContain('  user 1 "root" becomes an admin, because "root" remains the super admin here');
    expect((await databaseContents(stored))['users']).toEqual(expect.arrayContaining(before['users'] ?? []));
  });

  test('reports that the source replaces an unused super admin', async () => {
    using source = firstGateway();
    await using stored = await createMigratedDatabase();
    expect(await importFrom(source, stored, { isDryRun: true })).toContain(
      'super admin: "root" of the source, in place of the unused "root" of this gateway',
    );
  });
});
