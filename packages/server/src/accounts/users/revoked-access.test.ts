import { role, sessionApi, tokenApi, tokenStatus, userApi } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { type NewTestUser, useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { rowOf, signedInUser } = accountsOf(app);
const root = await app.signedIn('root', '123456');

/** A user with two credentials: a session cookie and an access token. */
async function twiceSignedIn(given: NewTestUser = {}) {
  const { user, client: byCookie } = await signedInUser(given);
  const byToken = app.client();
  byToken.headers['authorization'] = await byCookie.call(userApi.makeAccessToken);
  for (const client of [byCookie, byToken]) expect((await client.send(userApi.self)).status).toBe(200);
  return { user, byCookie, byToken };
}

/** Sends a relay request with the user's token. 404 means accepted, but no channel serves the model. */
async function relayedBy(user: { id: number }, key: string, pinned = ''): Promise<number> {
  const response = await fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}${pinned}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: `nobody-serves-${user.id}`, messages: [] }),
  });
  return response.status;
}

const letIn = 404;

/** A signed-in user whose token was used before, so that the relay has cached it. */
async function relayUser(given: NewTestUser = {}) {
  const { user, client } = await signedInUser(given);
  const { key } = await client.call(tokenApi.create, { body: { name: 'relay', unlimited_quota: true } });
  expect(await relayedBy(user, key)).toBe(letIn);
  return { user, client, key };
}

const statusesOf = (clients: readonly ApiClient[], row: (typeof userApi)['self' | 'list']) =>
  Promise.all(clients.map(async (client) => (await client.send(row)).status));

const manage = (username: string, action: 'demote' | 'disable' | 'delete' | 'enable') =>
  root.call(userApi.manage, { body: { username, action } });

describe('[A13.1] next call of a user by cookie and by access token', () => {
  test('the next call is rejected after a ban, and unbanning does not restore the session', async () => {
    const { user, byCookie, byToken } = await twiceSignedIn();
    await manage(user.username, 'disable');
    expect(await statusesOf([byCookie, byToken], userApi.self)).toEqual([401, 401]);
    await expect(app.signedIn(user.username, user.password)).rejects.toMatchObject({ status: 200 });
    await manage(user.username, 'enable');
    expect((await byCookie.send(userApi.self)).status).toBe(401);
    await app.signedIn(user.username, user.password);
  });

  test.each([
    ['by name', (user: { username: string }) => manage(user.username, 'delete')],
    ['by id', ({ id }: { id: number }) => root.call(userApi.remove, { params: { id } })],
  ])('the next call is rejected after a deletion %s', async (_, remove) => {
    const { user, byCookie, byToken } = await twiceSignedIn();
    await remove(user);
    expect(await statusesOf([byCookie, byToken], userApi.self)).toEqual([401, 401]);
    const { username, password } = user;
    const response = await app.client().send(sessionApi.login, { body: { username, password } });
    expect(response.body).toMatchObject({ success: false });
  });

  test('the next call is rejected after an admin has set a password', async () => {
    const { user, byCookie, byToken } = await twiceSignedIn();
    await root.call(userApi.update, { body: { id: user.id, password: 'battery staple' } });
    expect(await statusesOf([byCookie, byToken], userApi.self)).toEqual([401, 401]);
    await app.signedIn(user.username, 'battery staple');
  });

  test('the next call is rejected after the user has set a new password in another session', async () => {
    const { user, byCookie, byToken } = await twiceSignedIn();
    const elsewhere = await app.signedIn(user.username, user.password);
    await elsewhere.call(userApi.updateSelf, { body: { password: 'battery staple' } });
    expect(await statusesOf([byCookie, byToken, elsewhere], userApi.self)).toEqual([401, 401, 200]);
  });

  test('the next call is limited to the remaining permissions after a demotion', async () => {
    const { user, byCookie, byToken } = await twiceSignedIn({ role: role.admin });
    expect(await statusesOf([byCookie, byToken], userApi.list)).toEqual([200, 200]);
    await manage(user.username, 'demote');
    expect(await statusesOf([byCookie, byToken], userApi.list)).toEqual([403, 403]);
    expect(await statusesOf([byCookie, byToken], userApi.self)).toEqual([200, 200]);
  });

  test('the next call still works after any other change', async () => {
    const { user, byCookie, byToken } = await twiceSignedIn();
    await root.call(userApi.update, { body: { id: user.id, username: 'kept-in', quota: 5, group: 'vip' } });
    expect(await statusesOf([byCookie, byToken], userApi.self)).toEqual([200, 200]);
    expect(await byToken.call(userApi.self)).toMatchObject({ username: 'kept-in', quota: 5, group: 'vip' });
  });
});

test('root stays signed in where it sets its own password by id, and is signed out elsewhere', async () => {
  const { user, byCookie, byToken } = await twiceSignedIn({ role: role.root });
  const other = await app.signedIn(user.username, user.password);
  await byCookie.call(userApi.update, { body: { id: user.id, password: 'battery staple' } });
  expect(await statusesOf([byCookie, byToken, other], userApi.self)).toEqual([200, 401, 401]);
  expect((await rowOf(user.id)).role).toBe(role.root);
});

describe('[A13.1] next relay request of a user', () => {
  test('the next relay request is rejected after a ban and after a deletion', async () => {
    const banned = await relayUser();
    await manage(banned.user.username, 'disable');
    expect(await relayedBy(banned.user, banned.key)).toBe(403);
    const deleted = await relayUser();
    await manage(deleted.user.username, 'delete');
    expect(await relayedBy(deleted.user, deleted.key)).toBe(401);
  });

  test('the next relay request is rejected after an admin has set a password, until the owner enables the token again', async () => {
    const { user, key } = await relayUser();
    await root.call(userApi.update, { body: { id: user.id, password: 'battery staple' } });
    expect(await relayedBy(user, key)).toBe(401);
    const owner = await app.signedIn(user.username, 'battery staple');
    for (const { id } of await owner.call(tokenApi.list, { query: {} })) {
      await owner.call(tokenApi.update, { query: { status_only: 'true' }, body: { id, status: tokenStatus.enabled } });
    }
    expect(await relayedBy(user, key)).toBe(letIn);
  });

  test('the next relay request still works after the user set a new password', async () => {
    const { user, client, key } = await relayUser();
    await client.call(userApi.updateSelf, { body: { password: 'battery staple' } });
    expect(await relayedBy(user, key)).toBe(letIn);
  });

  test('the next relay request can no longer select a channel after a demotion', async () => {
    const { user, key } = await relayUser({ role: role.admin });
    expect(await relayedBy(user, key, '-1')).toBe(letIn);
    await manage(user.username, 'demote');
    expect(await relayedBy(user, key, '-1')).toBe(403);
    expect(await relayedBy(user, key)).toBe(letIn);
  });
});
