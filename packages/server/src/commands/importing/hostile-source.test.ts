import type { OneApiSourceKind } from '@headgate/importer';
import { expect, test } from 'vitest';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { checkStoredLedger } from '../../records/ledger/stored-ledger-repository.ts';
import {
  databaseContents,
  importFrom,
  queryDatabase,
  sourceKey,
  sourcePassword,
} from '../../testing/commands/import-fixture.ts';
import { SourceDatabase } from '../../testing/commands/source-databases.ts';
import { createMigratedDatabase, type TestDatabase } from '../../testing/database/test-database.ts';

/** A gateway with root, and with alice, who has used a thousand points. */
const gateway = (kind: OneApiSourceKind) =>
  new SourceDatabase(kind).add(
    'users',
    { id: 1, username: 'root', role: 100, password: sourcePassword.fastPasswordHash },
    { id: 4, username: 'alice', used_quota: 1000, inviter_id: 0 },
  );

const logsOf = (into: Pick<TestDatabase, 'location'>) =>
  queryDatabase(into, (database) => database.selectFrom('logs').selectAll().orderBy('id').execute());

test('[A37.1] logs with unsafe ids are not read repeatedly, and future times are corrected', async () => {
  using source = gateway('new-api');
  source.run(`insert into logs (id, user_id, created_at, type, content, quota) values
    (1, 4, 9223372036854775807, 2, 'far', 5), (2, 4, 9000000000000, 2, 'later', 7), (3, 4, 1760000000, 2, 'sound', 11),
    (9223372036854775806, 4, 1760000000, 2, 'beyond', 13), (9223372036854775807, 4, 1760000000, 2, 'last', 17)`);
  await using stored = await createMigratedDatabase();
  await importFrom(source, stored, { logsSince: 0 });
  const logs = await logsOf(stored);
  expect(logs.map(({ content }) => content)).toEqual(['far', 'later', 'sound']);
  expect(Math.max(...logs.map(({ created_at }) => created_at))).toBeLessThanOrEqual(nowInSeconds());
  expect(await checkStoredLedger(stored.location)).toMatchObject({ drift: 0, log_drift: 0 });
});

test('[A37.1] logs with fractional ids end the import with a message, and none is imported twice', async () => {
  using source = gateway('new-api');
  source.run(`drop table logs; create table logs as
    select 1.5 as id, 4 as user_id, 1760000000 as created_at, 2 as type, 'between' as content, 5 as quota
    union all select 2.5, 4, 1760000000, 2, 'beyond', 7`);
  await using stored = await createMigratedDatabase();
  await expect(importFrom(source, stored, { logsSince: 0 })).rejects.toThrow('ids that are not whole numbers');
  expect(await logsOf(stored)).toMatchObject([{ content: 'between' }]);
  expect(await checkStoredLedger(stored.location)).toMatchObject({ drift: 0, log_drift: 0 });
});

test('[A37.2] null characters in texts, and in JSON inside texts, do not stop an import', async () => {
  using source = gateway('new-api');
  source.add('users', {
    id: 5,
    username: 'b\0ob',
    display_name: 'B\0',
    group: 'v\0ip',
    wechat_id: 'w\0',
    oidc_id: 'o\0',
  });
  source.add('tokens', {
    id: 1,
    user_id: 5,
    key: sourceKey(1),
    name: 'n\0',
    model_limits: 'a\0',
    model_limits_enabled: 1,
  });
  source.add('redemptions', { id: 1, key: 'c\0', name: 'n\0' });
  source.add('channels', { id: 1, key: 'k\0', name: 'c\0', tag: 't\0', setting: '{"system_prompt":"be\\u0000 kind"}' });
  source.add('options', { key: 'Notice', value: 'hel\0lo' });
  source.add('logs', { id: 1, user_id: 5, created_at: 1_760_000_000, type: 2, content: 'l\0', username: 'b\0ob' });
  await using stored = await createMigratedDatabase();
  await importFrom(source, stored, { logsSince: 0 });
  const contents = await databaseContents(stored);
  expect(JSON.stringify(contents)).not.toContain('\\u0000');
  expect(contents).toMatchObject({
    tokens: [{ name: 'n', models: 'a' }],
    channels: [{ name: 'c', system_prompt: 'be kind' }],
    options: [{ value: 'hello' }],
    logs: [{ content: 'l' }],
  });
});

test('a user with id 0 is not treated as an inviter', async () => {
  using source = gateway('one-api').add('users', { id: 0, username: 'nobody' });
  await using stored = await createMigratedDatabase();
  await importFrom(source, stored);
  const { users } = await databaseContents(stored);
  expect(users).toMatchObject([{ inviter_id: 0 }, { inviter_id: 0 }, { inviter_id: 0 }]);
});
