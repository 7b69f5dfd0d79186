import { defaultRoot, role, sessionApi, userApi, userStatus } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

const wrongCredentials = 'Wrong username or password, or the account is banned';

describe('[S1.1 S7.8] password login', () => {
  test('returns the user without secrets and starts a session', async () => {
    const { id, username, password } = await app.createUser({ display_name: 'Ada', email: 'ada@example.com' });
    const client = app.client();
    const { status, body } = await client.send(sessionApi.login, { body: { username, password } });
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: '',
      data: { id, username, display_name: 'Ada', role: role.common, status: userStatus.enabled },
    });
    expect(await client.call(userApi.self)).toMatchObject({ id, username });
  });

  test('accepts the email address as the username', async () => {
    const { id, password } = await app.createUser({ email: 'grace@example.com' });
    const client = await app.signedIn('grace@example.com', password);
    expect(await client.call(userApi.self)).toMatchObject({ id, email: 'grace@example.com' });
  });

  test('prefers an account with this username over one with this email address', async () => {
    const named = await app.createUser({ username: 'x@y.example', password: 'of the named' });
    await app.createUser({ email: 'x@y.example', password: 'of the address' });
    const client = await app.signedIn('x@y.example', 'of the named');
    expect(await client.call(userApi.self)).toMatchObject({ id: named.id });
    await expect(app.signedIn('x@y.example', 'of the address')).rejects.toThrow(wrongCredentials);
  });

  test('accepts the default root credentials from localhost', async () => {
    const client = await app.signedIn(defaultRoot.username, defaultRoot.password);
    expect(await client.call(userApi.self)).toMatchObject({ role: role.root, status: userStatus.enabled });
  });
});

describe('failed login', () => {
  test.each([
    ['a wrong password', { status: userStatus.enabled }, 'not the password'],
    ['a banned account', { status: userStatus.disabled }, undefined],
    ['a deleted account', { status: userStatus.deleted }, undefined],
    ['an account without a password', { password_hash: null }, undefined],
    ['an account with an unreadable hash', { password_hash: 'md5:0123' }, undefined],
  ])('a login with %s returns the same error and starts no session', async (_, given, typed) => {
    const { username, password } = await app.createUser(given);
    const client = app.client();
    const response = await client.send(sessionApi.login, { body: { username, password: typed ?? password } });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ success: false, message: wrongCredentials });
    expect(response.headers.getSetCookie()).toEqual([]);
    expect((await client.send(userApi.self)).status).toBe(401);
  });

  test('[A18.2] a login with an unknown username returns the same error', async () => {
    await expect(app.signedIn('nobody', 'at all, at all')).rejects.toMatchObject({
      status: 200,
      message: wrongCredentials,
    });
  });

  test('an empty username does not match accounts without an email address', async () => {
    const response = await app.client().send(sessionApi.login, { body: { username: '', password: 'correct horse' } });
    expect(response.status).toBe(400);
  });

  test.each([{ username: ['root'] }, { username: { $ne: '' } }, { username: 'a'.repeat(101) }, {}])(
    'a malformed login is rejected: %j',
    async (credentials) => {
      const response = await app
        .client()
        .send(sessionApi.login, { body: { password: 'correct horse', ...credentials } });
      expect(response.status).toBe(400);
    },
  );

  test('SQL in the login fields has no effect', async () => {
    for (const text of ["' or '1'='1", "root' --", 'root"; drop table users; --', '%']) {
      await expect(app.signedIn(text, text)).rejects.toMatchObject({ status: 200, message: wrongCredentials });
    }
  });
});

test('password login can be disabled', async () => {
  await using other = await startTestApp({ options: { PasswordLoginEnabled: 'false' } });
  const { username, password } = await other.createUser();
  await expect(other.signedIn(username, password)).rejects.toMatchObject({
    status: 200,
    message: 'Password login is turned off',
  });
});
