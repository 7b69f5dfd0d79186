import { createHash } from 'node:crypto';
import { role, sessionApi, userApi, userStatus } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { type NewTestUser, startTestApp, useTestApp } from '../../testing/test-app.ts';
import { SessionRepository } from './session-repository.ts';
import { SessionService } from './session-service.ts';

const app = await useTestApp();

const cookieName = 'headgate_session';
const daySeconds = 24 * 3600;

async function signedInUser(given: NewTestUser = {}) {
  const user = await app.createUser(given);
  return { user, client: await app.signedIn(user.username, user.password) };
}

const sessionsOf = (userId: number) =>
  app.database.selectFrom('sessions').selectAll().where('user_id', '=', userId).execute();

const moveSeenTime = (userId: number, seenTime: number) =>
  app.database.updateTable('sessions').set({ seen_time: seenTime }).where('user_id', '=', userId).execute();

describe('session cookie', () => {
  const login = async (headers: Record<string, string> = {}, trustedProxies: readonly string[] = []) => {
    await using other = await startTestApp({ config: { trustedProxies } });
    const { username, password } = await other.createUser();
    const response = await other.client().send(sessionApi.login, { body: { username, password }, headers });
    return response.headers.getSetCookie();
  };

  test('[A20.2] the session cookie is HttpOnly, SameSite=Lax and valid for thirty days, and not Secure over plain HTTP', async () => {
    const [cookie = '', ...others] = await login();
    // Device cookie, sent to the login endpoint only.
    expect(others).toEqual([
      expect.stringMatching(/^headgate_device=.*; Path=\/api\/user\/login; HttpOnly; SameSite=Strict$/),
    ]);
    const [pair, ...attributes] = cookie.split('; ');
    expect(pair).toMatch(/^headgate_session=[\w-]{43}$/);
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax']);
  });

  test('the session cookie is Secure when a trusted proxy reports HTTPS', async () => {
    const [cookie] = await login({ 'x-forwarded-proto': 'https' }, ['127.0.0.1']);
    expect(cookie).toContain('; Secure');
  });

  test('the session cookie is not Secure when an untrusted client claims HTTPS', async () => {
    const [cookie] = await login({ 'x-forwarded-proto': 'https' });
    expect(cookie).not.toContain('Secure');
  });
});

describe('stored session', () => {
  test('a session row contains only a hash of the cookie’s id', async () => {
    const { user, client } = await signedInUser();
    const id = client.cookies.get(cookieName) ?? '';
    const rows = await sessionsOf(user.id);
    expect(rows.map((row) => row.id_hash)).toEqual([createHash('sha256').update(id).digest('hex')]);
    expect(JSON.stringify(rows)).not.toContain(id);
  });

  test('a session row records the location where the session was started', async () => {
    const user = await app.createUser();
    const client = app.client();
    client.headers['user-agent'] = `Browser ${'x'.repeat(400)}`;
    await client.call(sessionApi.login, { body: { username: user.username, password: user.password } });
    const [row] = await sessionsOf(user.id);
    expect(row).toMatchObject({ address: '127.0.0.1', user_agent: `Browser ${'x'.repeat(292)}` });
  });

  test('the stored session hash is not accepted as a session cookie', async () => {
    const { user } = await signedInUser();
    const [row] = await sessionsOf(user.id);
    const thief = app.client();
    thief.cookies.set(cookieName, row?.id_hash ?? '');
    expect((await thief.send(userApi.self)).status).toBe(401);
  });

  test('[A20.2] each login creates a new session id', async () => {
    const user = await app.createUser();
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await app.signedIn(user.username, user.password)).cookies.get(cookieName)),
    );
    expect(new Set(ids).size).toBe(3);
    expect(await sessionsOf(user.id)).toHaveLength(3);
  });
});

describe('[S7.9] logout', () => {
  test('ends the session on the server and clears the cookie', async () => {
    const { user, client } = await signedInUser();
    const id = client.cookies.get(cookieName) ?? '';
    await client.call(sessionApi.logout);
    expect(client.cookies.get(cookieName)).toBeUndefined();
    expect(await sessionsOf(user.id)).toEqual([]);
    client.cookies.set(cookieName, id);
    expect((await client.send(userApi.self)).status).toBe(401);
  });

  test('keeps the user’s other sessions', async () => {
    const { user, client } = await signedInUser();
    const other = await app.signedIn(user.username, user.password);
    await client.call(sessionApi.logout);
    expect((await other.send(userApi.self)).status).toBe(200);
  });

  test('logout succeeds for a visitor', async () => {
    expect((await app.client().send(sessionApi.logout)).body).toEqual({ success: true, message: '' });
  });
});

describe('account changes take effect on the next request', () => {
  test.each([
    ['a ban', { status: userStatus.disabled }],
    ['a deletion', { status: userStatus.deleted }],
  ])('%s ends the session', async (_, change) => {
    const { user, client } = await signedInUser();
    expect((await client.send(userApi.self)).status).toBe(200);
    await app.database.updateTable('users').set(change).where('id', '=', user.id).execute();
    expect((await client.send(userApi.self)).status).toBe(401);
  });

  test('demotion removes the role', async () => {
    const { user, client } = await signedInUser({ role: role.admin });
    expect(await client.call(userApi.self)).toMatchObject({ role: role.admin });
    await app.database.updateTable('users').set({ role: role.common }).where('id', '=', user.id).execute();
    expect(await client.call(userApi.self)).toMatchObject({ role: role.common });
  });

  test('deleting a user deletes the sessions', async () => {
    const { user, client } = await signedInUser();
    await app.database.deleteFrom('users').where('id', '=', user.id).execute();
    expect(await sessionsOf(user.id)).toEqual([]);
    expect((await client.send(userApi.self)).status).toBe(401);
  });

  test('a new password ends the other sessions but not the current one', async () => {
    const { user, client } = await signedInUser();
    const other = await app.signedIn(user.username, user.password);
    const { client: stranger } = await signedInUser();
    await client.call(userApi.updateSelf, { body: { password: 'battery staple' } });
    expect((await client.send(userApi.self)).status).toBe(200);
    expect((await other.send(userApi.self)).status).toBe(401);
    expect((await stranger.send(userApi.self)).status).toBe(200);
    await expect(app.signedIn(user.username, user.password)).rejects.toMatchObject({ status: 200 });
    await app.signedIn(user.username, 'battery staple');
  });

  test('a new name ends no session', async () => {
    const { user, client } = await signedInUser();
    const other = await app.signedIn(user.username, user.password);
    await client.call(userApi.updateSelf, { body: { display_name: 'Renamed' } });
    expect((await other.send(userApi.self)).status).toBe(200);
  });
});

describe('planted cookie', () => {
  test('[A20.2] a planted cookie never becomes a session', async () => {
    const user = await app.createUser();
    const victim = app.client();
    const planted = 'A'.repeat(43);
    victim.cookies.set(cookieName, planted);
    await victim.call(sessionApi.login, { body: { username: user.username, password: user.password } });
    expect(victim.cookies.get(cookieName)).not.toBe(planted);
    const attacker = app.client();
    attacker.cookies.set(cookieName, planted);
    expect((await attacker.send(userApi.self)).status).toBe(401);
  });

  test('[A20.2] a planted cookie with another user’s session is replaced at login', async () => {
    const { client: attacker } = await signedInUser();
    const id = attacker.cookies.get(cookieName) ?? '';
    const user = await app.createUser();
    const victim = app.client();
    victim.cookies.set(cookieName, id);
    await victim.call(sessionApi.login, { body: { username: user.username, password: user.password } });
    expect(await victim.call(userApi.self)).toMatchObject({ id: user.id });
    expect((await attacker.send(userApi.self)).status).toBe(401);
  });

  test.each(['', ' ', '%00', 'x'.repeat(4000), "' or 1=1 --", '%zz'])(
    'a cookie with malformed content (%j) is ignored',
    async (value) => {
      const response = await app.client().send(userApi.self, { headers: { cookie: `${cookieName}=${value}` } });
      expect(response.status).toBe(401);
    },
  );
});

describe('session lifetime', () => {
  test('a session expires thirty days after its last use', async () => {
    const { user, client } = await signedInUser();
    await moveSeenTime(user.id, nowInSeconds() - 31 * daySeconds);
    const response = await client.send(userApi.self);
    expect(response.status).toBe(401);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test('using a session extends it together with its cookie', async () => {
    const { user, client } = await signedInUser();
    const id = client.cookies.get(cookieName);
    await moveSeenTime(user.id, nowInSeconds() - 29 * daySeconds);
    const response = await client.send(userApi.self);
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie()).toEqual([expect.stringContaining('Max-Age=2592000')]);
    expect(client.cookies.get(cookieName)).toBe(id);
    const [row] = await sessionsOf(user.id);
    expect(row?.seen_time).toBeGreaterThan(nowInSeconds() - daySeconds);
  });

  test('the last use is written at most once per hour', async () => {
    const { user, client } = await signedInUser();
    const halfAnHourAgo = nowInSeconds() - 1800;
    await moveSeenTime(user.id, halfAnHourAgo);
    const response = await client.send(userApi.self);
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await sessionsOf(user.id)).toMatchObject([{ seen_time: halfAnHourAgo }]);
  });

  test('the row of an expired session is deleted', async () => {
    const { user: idle } = await signedInUser();
    const { user: active } = await signedInUser();
    await moveSeenTime(idle.id, nowInSeconds() - 31 * daySeconds);
    await new SessionService(new SessionRepository(app.database)).removeExpired();
    expect(await sessionsOf(idle.id)).toEqual([]);
    expect(await sessionsOf(active.id)).toHaveLength(1);
  });
});
