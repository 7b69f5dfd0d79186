import { passkeyApi, role, secondFactorApi, sessionApi, userApi, userStatus } from '@headgate/contract';
import { type ApiClient, SoftAuthenticator } from '@headgate/testkit';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { type NewTestUser, useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { ServerAddress: 'https://gate.example' } });
const { signedInUser, rowOf, logsOf } = accountsOf(app);
const { client: admin, user: adminUser } = await signedInUser({ role: role.admin });
const { client: root, user: rootUser } = await signedInUser({ role: role.root });

const noSecondStep = apiFailure('This user has neither two-step login nor passkeys');
const notAbove = apiFailure('You cannot change users with the same or a higher role');
const reset = async (by: ApiClient, id: number | string) =>
  (await by.send(secondFactorApi.reset, { params: { id } })).body;
const isSignedIn = async (client: ApiClient) => (await client.send(userApi.self)).status === 200;
const passkeysOf = (id: number) =>
  app.database.selectFrom('passkeys').select('name').where('user_id', '=', id).orderBy('name').execute();

async function turnOn(client: ApiClient): Promise<void> {
  const { secret } = await client.call(secondFactorApi.begin);
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await client.call(secondFactorApi.confirm, { body: { code } });
}

async function addPasskey(client: ApiClient, name: string): Promise<SoftAuthenticator> {
  const device = new SoftAuthenticator('https://gate.example');
  const { ticket, options } = await client.call(passkeyApi.begin);
  const response = device.create(options);
  await client.call(passkeyApi.create, { body: { ticket, response, name } });
  return device;
}

async function protectedUser(given: NewTestUser = {}) {
  const { user, client } = await signedInUser(given);
  await turnOn(client);
  const device = await addPasskey(client, 'My phone');
  await addPasskey(client, 'My laptop');
  return { user, client, device };
}

test('an admin removes the authenticator and all passkeys, and the user is signed out everywhere', async () => {
  const { user, client, device } = await protectedUser();
  const { user: other, client: otherClient } = await protectedUser();
  expect(await reset(admin, user.id)).toEqual(apiSuccess);
  expect(await rowOf(user.id)).toMatchObject({ second_factor: 0, status: userStatus.enabled });
  for (const table of ['authenticators', 'backup_codes'] as const) {
    const rows = await app.database.selectFrom(table).select('user_id').where('user_id', '=', user.id).execute();
    expect(rows).toEqual([]);
  }
  expect(await passkeysOf(user.id)).toEqual([]);
  expect(await isSignedIn(client)).toBe(false);
  expect((await logsOf(user.id)).at(-1)).toMatchObject({
    type: 3,
    content: `${adminUser.username} reset the second factor of ${user.username}`,
  });

  const visitor = app.client();
  const { ticket, options } = await visitor.call(passkeyApi.beginLogin);
  const response = device.get(options);
  expect((await visitor.send(passkeyApi.login, { body: { ticket, response } })).body).toEqual(
    apiFailure(/^This passkey was not accepted/),
  );
  const body = { username: user.username, password: user.password };
  expect((await visitor.send(sessionApi.login, { body })).body).toMatchObject({ data: { id: user.id } });

  expect(await rowOf(other.id)).toMatchObject({ second_factor: 1 });
  expect(await passkeysOf(other.id)).toHaveLength(2);
  expect(await isSignedIn(otherClient)).toBe(true);
});

test('a login that is waiting for its code cannot be completed after the reset', async () => {
  const { user } = await protectedUser();
  const visitor = app.client();
  const { body } = await visitor.send(sessionApi.login, {
    body: { username: user.username, password: user.password },
  });
  const { ticket } = body as { ticket: string };
  expect(await reset(admin, user.id)).toEqual(apiSuccess);
  const response = await visitor.send(secondFactorApi.login, { body: { ticket, code: '123456' } });
  expect(response.body).toEqual(apiFailure(/^The code is wrong/));
  expect(await isSignedIn(visitor)).toBe(false);
});

test('resets users with either factor, including banned users, and returns an error if the user has none', async () => {
  const { user: withCodes, client: first } = await signedInUser();
  await turnOn(first);
  expect(await reset(admin, withCodes.id)).toEqual(apiSuccess);
  const { user: withPasskey, client: second } = await signedInUser();
  await addPasskey(second, 'Key');
  await root.call(userApi.manage, { body: { username: withPasskey.username, action: 'disable' } });
  expect(await reset(admin, withPasskey.id)).toEqual(apiSuccess);
  const { user: plain, client: third } = await signedInUser();
  await third.call(secondFactorApi.begin);
  expect(await reset(admin, plain.id)).toEqual(noSecondStep);
  expect(await isSignedIn(third)).toBe(true);
  expect(await logsOf(plain.id)).toEqual([]);
  admin.headers['accept-language'] = 'zh';
  expect(await reset(admin, plain.id)).toEqual(apiFailure('该用户既未启用两步验证，也没有通行密钥'));
  delete admin.headers['accept-language'];
});

describe('second factor reset requires a higher role', () => {
  test.each([
    ['an admin', role.admin],
    ['a super admin', role.root],
  ])('an admin cannot reset %s', async (_, given) => {
    const { user, client } = await protectedUser({ role: given });
    expect(await reset(admin, user.id)).toEqual(notAbove);
    expect(await rowOf(user.id)).toMatchObject({ second_factor: 1 });
    expect(await passkeysOf(user.id)).toHaveLength(2);
    expect(await isSignedIn(client)).toBe(true);
  });

  test('a super admin resets an admin, but not themselves or another super admin', async () => {
    const { user } = await protectedUser({ role: role.admin });
    expect(await reset(root, user.id)).toEqual(apiSuccess);
    const { user: peer } = await protectedUser({ role: role.root });
    expect(await reset(root, peer.id)).toEqual(notAbove);
    await addPasskey(root, 'Own');
    expect(await reset(root, rootUser.id)).toEqual(notAbove);
    expect(await passkeysOf(rootUser.id)).toEqual([{ name: 'Own' }]);
    await addPasskey(admin, 'Own');
    expect(await reset(admin, adminUser.id)).toEqual(notAbove);
  });

  test('rejects other callers and unknown users', async () => {
    const { user, client } = await protectedUser();
    expect((await client.send(secondFactorApi.reset, { params: { id: user.id } })).status).toBe(403);
    expect((await app.client().send(secondFactorApi.reset, { params: { id: user.id } })).status).toBe(401);
    expect(await reset(admin, 999_999)).toEqual(apiFailure('User not found'));
    for (const id of ['0', '-1', 'self', '1.5', '__proto__', '9'.repeat(30)]) {
      expect((await admin.send(secondFactorApi.reset, { params: { id } })).status).toBe(400);
    }
    expect(await rowOf(user.id)).toMatchObject({ second_factor: 1 });
  });
});
