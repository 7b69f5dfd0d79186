import { sessionApi, userApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { importFrom, sourcePassword } from '../../testing/commands/import-fixture.ts';
import { SourceDatabase } from '../../testing/commands/source-databases.ts';
import { createTestDatabase } from '../../testing/database/test-database.ts';
import { startTestApp } from '../../testing/test-app.ts';
import { verifyPassword } from './password.ts';

const argon2id = /^\$argon2id\$v=19\$m=\d+,t=2,p=1\$/;

test('a user imported from another gateway signs in with the old password, which is then rehashed', async () => {
  using source = new SourceDatabase('one-api').add(
    'users',
    { id: 1, username: 'root', role: 100, password: sourcePassword.hash },
    { id: 2, username: 'alice', password: sourcePassword.fastPasswordHash },
  );
  await using stored = await createTestDatabase();
  await importFrom(source, stored);
  await using app = await startTestApp({ on: stored });
  const hashOf = async (username: string) => {
    const query = app.database.selectFrom('users').select('password_hash').where('username', '=', username);
    return (await query.executeTakeFirstOrThrow()).password_hash;
  };
  const wrong = await app.client().send(sessionApi.login, { body: { username: 'alice', password: 'Old password' } });
  expect(wrong.body).toMatchObject({ success: false });
  expect(await hashOf('alice')).toBe(sourcePassword.fastPasswordHash);
  for (const username of ['alice', 'root']) {
    const client = await app.signedIn(username, sourcePassword.text);
    expect(await client.call(userApi.self)).toMatchObject({ username });
    const renewed = await hashOf(username);
    expect(renewed).toMatch(argon2id);
    await app.signedIn(username, sourcePassword.text);
    expect(await hashOf(username)).toBe(renewed);
  }
  const again = await app.client().send(sessionApi.login, { body: { username: 'alice', password: 'Old password' } });
  expect(again.body).toMatchObject({ success: false });
});

test('a banned imported user cannot sign in, and the hash stays unchanged', async () => {
  using source = new SourceDatabase('new-api').add(
    'users',
    { id: 1, username: 'root', role: 100, password: sourcePassword.fastPasswordHash },
    { id: 2, username: 'alice', status: 2, password: sourcePassword.fastPasswordHash },
  );
  await using stored = await createTestDatabase();
  await importFrom(source, stored);
  await using app = await startTestApp({ on: stored });
  const login = { body: { username: 'alice', password: sourcePassword.text } };
  expect((await app.client().send(sessionApi.login, login)).body).toMatchObject({ success: false });
  const [, alice] = await app.database.selectFrom('users').select('password_hash').orderBy('id').execute();
  expect(alice).toEqual({ password_hash: sourcePassword.fastPasswordHash });
});

test.each([
  ['the right password', sourcePassword.text, sourcePassword.fastPasswordHash, true],
  ['another password', 'old passwore', sourcePassword.fastPasswordHash, false],
  // Published test vectors of OpenBSD and PHP.
  ['a published test vector', 'U*U', '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', true],
  ['a non-ASCII password', '\u00a3\u00e9\u5bc6', sourcePassword.fastPasswordHash, false],
  ['a hash whose cost is too high', 'x', sourcePassword.fastPasswordHash.replace('$04$', '$31$'), false],
])('bcrypt verifies %s', async (_, password, hash, matches) => {
  expect(await verifyPassword(password, hash)).toBe(matches);
});
