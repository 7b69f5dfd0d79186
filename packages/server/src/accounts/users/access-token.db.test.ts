import { createHash } from 'node:crypto';
import { role, sessionApi, userApi, userStatus } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { rowOf, signedInUser } = accountsOf(app);

/** A client with a token and no cookie. */
function program(authorization: string) {
  const client = app.client();
  client.headers['authorization'] = authorization;
  return client;
}

const selfBy = (authorization: string) => program(authorization).send(userApi.self);

describe('[S7.29] [S1.10] system access token', () => {
  test('a system access token is long, new each time and stored as a hash only', async () => {
    const { user, client } = await signedInUser();
    const first = await client.call(userApi.makeAccessToken);
    const second = await client.call(userApi.makeAccessToken);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(second).not.toBe(first);
    const row = await rowOf(user.id);
    expect(row.access_token_hash).toBe(createHash('sha256').update(second).digest('hex'));
    expect(JSON.stringify(row)).not.toContain(second);
  });

  test('a system access token authenticates its user, with and without "Bearer"', async () => {
    const { user, client } = await signedInUser({ role: role.admin });
    const token = await client.call(userApi.makeAccessToken);
    for (const header of [token, `Bearer ${token}`, `bearer  ${token}`, `BEARER ${token}`]) {
      expect(await program(header).call(userApi.self)).toMatchObject({ id: user.id });
    }
    expect((await program(token).send(userApi.list)).status).toBe(200);
  });

  test('a new system access token replaces the previous one', async () => {
    const { client } = await signedInUser();
    const old = await client.call(userApi.makeAccessToken);
    await client.call(userApi.makeAccessToken);
    expect((await selfBy(old)).status).toBe(401);
  });

  test('a system access token cannot be used to generate its successor', async () => {
    const { user, client } = await signedInUser();
    const token = await client.call(userApi.makeAccessToken);
    expect((await program(token).send(userApi.makeAccessToken)).status).toBe(403);
    expect(await program(token).call(userApi.self)).toMatchObject({ id: user.id });
  });

  test('rejects a token that is wrong, truncated, altered, the stored hash or of another kind', async () => {
    const { user, client } = await signedInUser();
    const token = await client.call(userApi.makeAccessToken);
    const { access_token_hash } = await rowOf(user.id);
    const wrong = [
      '',
      'Bearer',
      'Bearer ',
      'null',
      'undefined',
      token.slice(0, -1),
      `${token}0`,
      token.toUpperCase(),
      `${token} ${token}`,
      `Basic ${token}`,
      `Bearer Bearer ${token}`,
      `sk-${token}`,
      access_token_hash ?? '',
      client.cookies.get('headgate_session') ?? '',
      `Basic ${Buffer.from(`${user.username}:${user.password}`).toString('base64')}`,
      "' or 1=1 --",
      'x'.repeat(8000),
    ];
    for (const header of wrong) {
      const { status, body } = await selfBy(header);
      expect({ header, status }).toEqual({ header, status: 401 });
      expect(body).toEqual({ success: false, message: 'Not logged in, or the session has expired' });
    }
  });

  test('rejects a wrong token even with a valid cookie', async () => {
    const { client } = await signedInUser();
    const response = await client.send(userApi.self, { headers: { authorization: 'Bearer wrong' } });
    expect(response.status).toBe(401);
  });

  test('a system access token takes precedence over another user’s cookie', async () => {
    const { client } = await signedInUser();
    const { user: other, client: otherClient } = await signedInUser();
    const authorization = await otherClient.call(userApi.makeAccessToken);
    const response = await client.send(userApi.self, { headers: { authorization } });
    expect(response.body).toMatchObject({ data: { id: other.id } });
  });

  test('a system access token does not block public endpoints', async () => {
    const user = await app.createUser();
    const { username, password } = user;
    await program('Bearer wrong').call(sessionApi.login, { body: { username, password } });
  });

  test('a system access token grants no more than its user’s role', async () => {
    const { client } = await signedInUser();
    const token = await client.call(userApi.makeAccessToken);
    expect((await program(token).send(userApi.list)).status).toBe(403);
  });

  test('a system access token is exempt from the cross-site check, which only cookies need', async () => {
    const { client } = await signedInUser();
    const token = await client.call(userApi.makeAccessToken);
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await program(token).send(userApi.inviteCode, { headers })).status).toBe(200);
    expect((await client.send(userApi.inviteCode, { headers })).status).toBe(403);
  });

  test.each([
    ['is banned', { status: userStatus.disabled }],
    ['is deleted', { status: userStatus.deleted }],
    ['has an unknown status', { status: 7 }],
  ])('rejects a token whose user %s', async (_, change) => {
    const { user, client } = await signedInUser();
    const token = await client.call(userApi.makeAccessToken);
    await app.database.updateTable('users').set(change).where('id', '=', user.id).execute();
    expect((await selfBy(token)).status).toBe(401);
  });
});

test('[S7.29] a visitor cannot create an access token', async () => {
  expect((await app.client().send(userApi.makeAccessToken)).status).toBe(401);
});
