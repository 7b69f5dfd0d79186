import { oauthApi, passkeyApi, secondFactorApi, userApi } from '@headgate/contract';
import { type ApiClient, SoftAuthenticator } from '@headgate/testkit';
import { Secret, TOTP } from 'otpauth';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { newProviderUser, useLoginProviderFixture } from '../../testing/relay/login-provider-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

const { app, come } = await useLoginProviderFixture();
const { signedInUser, logsOf, rowOf } = accountsOf(app);
afterEach(() => void vi.useRealTimers());

const origin = 'https://gate.example';
const rejected = apiFailure('This passkey was not accepted; please try again or log in another way');

type Twist = Parameters<SoftAuthenticator['create']>[1];

async function add(client: ApiClient, device = new SoftAuthenticator(origin), twist?: Twist) {
  const { ticket, options } = await client.call(passkeyApi.begin);
  const response = device.create(options, twist);
  const reply = await client.send(passkeyApi.create, { body: { ticket, response, name: 'My phone' } });
  return { device, reply, options, ticket, response };
}

async function enter(client: ApiClient, device: SoftAuthenticator, twist?: Twist) {
  const { ticket, options } = await client.call(passkeyApi.beginLogin);
  const response = device.get(options, twist);
  return { reply: await client.send(passkeyApi.login, { body: { ticket, response } }), ticket, response, options };
}

const isSignedIn = async (client: ApiClient) => (await client.send(userApi.self)).status === 200;

describe('passkey', () => {
  test('a passkey is created for the configured site and signs in without a password', async () => {
    const { user, client } = await signedInUser();
    const { device, reply, options } = await add(client);
    expect(reply.body).toEqual(apiSuccess);
    expect(options).toMatchObject({
      rp: { id: 'gate.example', name: 'Headgate' },
      user: { name: user.username },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(await client.call(passkeyApi.list)).toEqual([
      { id: device.id, name: 'My phone', created_time: expect.any(Number), used_time: 0 },
    ]);
    expect((await logsOf(user.id)).at(-1)?.content).toBe(`${user.username} added the passkey My phone`);
    const visitor = app.client();
    const { reply: entered, options: ceremony } = await enter(visitor, device);
    expect(ceremony).toMatchObject({ rpId: 'gate.example', userVerification: 'required' });
    expect(ceremony).not.toHaveProperty('allowCredentials.0');
    expect(entered.body).toMatchObject({ success: true, data: { id: user.id, username: user.username } });
    expect(await isSignedIn(visitor)).toBe(true);
    const [row] = await client.call(passkeyApi.list);
    expect(row?.used_time).toBeGreaterThan(0);
  });

  test('sign-in with a passkey needs no second factor even if password login does', async () => {
    const { user, client } = await signedInUser();
    const { device } = await add(client);
    const { secret } = await client.call(secondFactorApi.begin);
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    await client.call(secondFactorApi.confirm, { body: { code } });
    const visitor = app.client();
    expect((await enter(visitor, device)).reply.body).toMatchObject({ data: { id: user.id } });
    expect(await isSignedIn(visitor)).toBe(true);
  });

  test.each<[string, Twist]>([
    ['the origin of another site', { origin: 'https://evil.example' }],
    ['another challenge', { challenge: Buffer.from('other').toString('base64url') }],
    ['an unverified user', { flags: 0x01 }],
    ['a key for another site', { rpId: 'evil.example' }],
  ])('rejects registration with %s', async (_, twist) => {
    const { client } = await signedInUser();
    expect((await add(client, undefined, twist)).reply.body).toEqual(rejected);
    expect(await client.call(passkeyApi.list)).toEqual([]);
  });

  test.each<[string, Twist]>([
    ['the origin of another site', { origin: 'https://evil.example' }],
    ['another challenge', { challenge: Buffer.from('other').toString('base64url') }],
    ['an unverified user', { flags: 0x01 }],
    ['a key for another site', { rpId: 'evil.example' }],
    ['a counter that went backwards', { counter: 1 }],
  ])('rejects sign-in with %s', async (_, twist) => {
    const { client } = await signedInUser();
    const { device } = await add(client);
    await enter(app.client(), device);
    const visitor = app.client();
    expect((await enter(visitor, device, twist)).reply.body).toEqual(rejected);
    expect(await isSignedIn(visitor)).toBe(false);
  });

  test('rejects a passkey that is unknown or signed with another key', async () => {
    const { client } = await signedInUser();
    const { device } = await add(client);
    const stranger = new SoftAuthenticator(origin);
    expect((await enter(app.client(), stranger)).reply.body).toEqual(rejected);
    Object.defineProperty(stranger, 'id', { value: device.id });
    expect((await enter(app.client(), stranger)).reply.body).toEqual(rejected);
  });

  test('accepts one response per ceremony, only in the browser that started it and only before it expires', async () => {
    const { client } = await signedInUser();
    const { device } = await add(client);
    const visitor = app.client();
    const { ticket, response, reply } = await enter(visitor, device);
    expect(reply.status).toBe(200);
    expect((await visitor.send(passkeyApi.login, { body: { ticket, response } })).status).toBe(403);
    const begun = await visitor.call(passkeyApi.beginLogin);
    const other = { ticket: begun.ticket, response: device.get(begun.options) };
    expect((await app.client().send(passkeyApi.login, { body: other })).status).toBe(403);
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 301_000);
    expect((await visitor.send(passkeyApi.login, { body: other })).status).toBe(403);
  });

  test('rejects a passkey from a ceremony started by another user', async () => {
    const { client } = await signedInUser();
    const { client: other } = await signedInUser();
    const { ticket, options } = await client.call(passkeyApi.begin);
    other.cookies.set('headgate_browser', client.cookies.get('headgate_browser') ?? '');
    const response = new SoftAuthenticator(origin).create(options);
    const reply = await other.send(passkeyApi.create, { body: { ticket, response, name: '' } });
    expect(reply.status).toBe(403);
  });

  test("rejects registering another user's passkey", async () => {
    const { client } = await signedInUser();
    const { device } = await add(client);
    const { client: other } = await signedInUser();
    expect((await add(other, device)).reply.body).toEqual(rejected);
  });

  test('rejects a passkey of a banned or deleted user', async () => {
    const { user, client } = await signedInUser();
    const { device } = await add(client);
    await app.database.updateTable('users').set({ status: 2 }).where('id', '=', user.id).execute();
    expect((await enter(app.client(), device)).reply.body).toEqual(apiFailure('This user is banned'));
    await app.database.updateTable('users').set({ status: 3 }).where('id', '=', user.id).execute();
    expect((await enter(app.client(), device)).reply.body).toEqual(rejected);
  });

  test('a passkey can be removed only by its owner and then no longer signs in', async () => {
    const { user, client } = await signedInUser();
    const { device } = await add(client);
    const { client: other } = await signedInUser();
    const params = { passkey: device.id };
    expect((await other.send(passkeyApi.remove, { params })).body).toEqual(apiFailure('Not found'));
    expect((await client.send(passkeyApi.remove, { params })).body).toEqual(apiSuccess);
    expect((await enter(app.client(), device)).reply.body).toEqual(rejected);
    expect((await logsOf(user.id)).at(-1)?.content).toBe(`${user.username} removed the passkey My phone`);
  });

  test('a passkey counts as a sign-in method, so the last one cannot be removed', async () => {
    const client = app.client();
    const { data } = (await come(client, 'github', newProviderUser())).body as { data: { id: number } };
    const { device } = await add(client);
    const unbound = await client.send(oauthApi.unbind, { params: { binding: 'github' } });
    expect(unbound.body).toEqual(apiSuccess);
    expect(await rowOf(data.id)).toMatchObject({ github_id: null, password_hash: null });
    expect((await client.send(passkeyApi.remove, { params: { passkey: device.id } })).body).toEqual(
      apiFailure(/only way to log in to your account/),
    );
  });

  test.each([{}, { id: 5 }, { id: 'x', response: {} }, { id: 'x', response: { clientDataJSON: 'x'.repeat(5000) } }])(
    'rejects malformed passkey data (%j)',
    async (response) => {
      const visitor = app.client();
      const { ticket } = await visitor.call(passkeyApi.beginLogin);
      expect((await visitor.send(passkeyApi.login, { body: { ticket, response } })).body).toEqual(rejected);
    },
  );
});

test('registration and sign-in with passkeys fail with a reason while no server address is set', async () => {
  await using plain = await startTestApp();
  expect((await plain.client().send(passkeyApi.beginLogin)).body).toEqual(apiFailure(/set the server address first/));
});
