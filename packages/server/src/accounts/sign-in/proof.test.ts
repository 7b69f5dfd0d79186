import { passkeyApi, secondFactorApi, sessionApi, userApi } from '@headgate/contract';
import { type ApiClient, SoftAuthenticator } from '@headgate/testkit';
import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../config.ts';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { newProviderUser, useLoginProviderFixture } from '../../testing/relay/login-provider-fixture.ts';
import { startTestApp } from '../../testing/test-app.ts';

const { app, come } = await useLoginProviderFixture();
const { signedInUser } = accountsOf(app);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());
const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

const needed = apiFailure('You logged in a while ago; please confirm your identity or log in again');
const begin = async (client: ApiClient) => (await client.send(passkeyApi.begin)).body;
const prove = async (client: ApiClient, proof: string) =>
  (await client.send(sessionApi.prove, { body: { proof } })).body;
const state = (client: ApiClient) => client.call(sessionApi.proof);
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

async function addPasskey(client: ApiClient): Promise<string> {
  const device = new SoftAuthenticator('https://gate.example');
  const { ticket, options } = await client.call(passkeyApi.begin);
  const response = device.create(options);
  await client.call(passkeyApi.create, { body: { ticket, response, name: 'Key' } });
  return device.id;
}

async function turnOn(client: ApiClient): Promise<string> {
  const { secret } = await client.call(secondFactorApi.begin);
  await client.call(secondFactorApi.confirm, { body: { code: codeOf(secret) } });
  return secret;
}

describe('shortly after sign-in', () => {
  test('passkeys can be added and removed without re-authentication for ten minutes', async () => {
    const { client } = await signedInUser();
    expect(await state(client)).toEqual({ isNeeded: false, by: 'password' });
    pass(590);
    const passkey = await addPasskey(client);
    expect((await client.send(passkeyApi.remove, { params: { passkey } })).body).toEqual(apiSuccess);
    pass(20);
    expect(await state(client)).toEqual({ isNeeded: true, by: 'password' });
  });
});

describe('some time after sign-in', () => {
  test('adding or removing a passkey requires the password', async () => {
    const { user, client } = await signedInUser();
    const passkey = await addPasskey(client);
    pass(601);
    expect(await begin(client)).toEqual(needed);
    expect((await client.send(passkeyApi.remove, { params: { passkey } })).body).toEqual(needed);
    expect(await client.call(passkeyApi.list)).toHaveLength(1);
    expect(await prove(client, 'not the password')).toEqual(apiFailure('The password is wrong'));
    expect(await begin(client)).toEqual(needed);
    expect(await prove(client, user.password)).toEqual(apiSuccess);
    expect(await state(client)).toEqual({ isNeeded: false, by: 'password' });
    await addPasskey(client);
    expect((await client.send(passkeyApi.remove, { params: { passkey } })).body).toEqual(apiSuccess);
    pass(601);
    expect(await begin(client)).toEqual(needed);
  });

  test('the error is returned in Chinese', async () => {
    const { client } = await signedInUser();
    client.headers['accept-language'] = 'zh';
    pass(601);
    expect(await begin(client)).toEqual(apiFailure('距上次登录已有一段时间，请先验证身份或重新登录'));
    expect(await prove(client, 'x')).toEqual(apiFailure('密码错误'));
  });

  test('a user with two-step login must provide a code; the password is not enough', async () => {
    const { user, client } = await signedInUser();
    const secret = await turnOn(client);
    pass(601);
    expect(await state(client)).toEqual({ isNeeded: true, by: 'code' });
    expect(await prove(client, user.password)).toEqual(apiFailure(/^The code is wrong/));
    const code = codeOf(secret);
    expect(await prove(client, code)).toEqual(apiSuccess);
    await addPasskey(client);
    expect(await prove(client, code)).toEqual(apiFailure(/^The code is wrong/));
  });

  test('a user with neither a password nor a code must sign in again', async () => {
    const client = app.client();
    const person = newProviderUser();
    await come(client, 'github', person);
    await addPasskey(client);
    pass(601);
    expect(await state(client)).toEqual({ isNeeded: true, by: 'login' });
    for (const proof of ['x', 'null', 'undefined']) expect(await prove(client, proof)).toEqual(needed);
    await client.send(sessionApi.logout);
    await come(client, 'github', person);
    await addPasskey(client);
  });

  test('two-step login can still be disabled, because that always requires a code', async () => {
    const { client } = await signedInUser();
    const secret = await turnOn(client);
    pass(601);
    const body = { code: codeOf(secret) };
    expect((await client.send(secondFactorApi.remove, { body: { code: '000000' } })).body).toMatchObject({
      success: false,
    });
    expect((await client.send(secondFactorApi.remove, { body })).body).toEqual(apiSuccess);
  });
});

test('a proof applies only to its session and user', async () => {
  const { user, client } = await signedInUser();
  const other = await app.signedIn(user.username, user.password);
  const { client: stranger } = await signedInUser();
  pass(601);
  expect(await prove(client, user.password)).toEqual(apiSuccess);
  expect(await begin(other)).toEqual(needed);
  expect(await begin(stranger)).toEqual(needed);
});

test('an access token cannot provide a proof, even with the cookie of a session with a recent proof', async () => {
  const { user, client } = await signedInUser();
  const { client: stranger } = await signedInUser();
  const program = app.client();
  program.headers['authorization'] = await client.call(userApi.makeAccessToken);
  const notByToken = apiFailure('This is not possible with an access token; log in instead');
  expect(await begin(program)).toEqual(notByToken);
  expect(await state(program)).toEqual({ isNeeded: true, by: 'password' });
  expect(await prove(program, user.password)).toEqual(notByToken);
  stranger.headers['authorization'] = program.headers['authorization'];
  expect(await begin(stranger)).toEqual(notByToken);
  expect(await prove(stranger, user.password)).toEqual(notByToken);
  expect(await begin(stranger)).toEqual(notByToken);
});

test('the account is locked after ten wrong passwords', async () => {
  vi.useRealTimers();
  await using limited = await startTestApp({
    config: { rateLimits: { ...readConfig({ API_RATE_LIMIT: '0' }).rateLimits } },
  });
  const user = await limited.createUser();
  const client = await limited.signedIn(user.username, user.password);
  const statuses: number[] = [];
  for (let guess = 0; guess < 12; guess += 1) {
    statuses.push((await client.send(sessionApi.prove, { body: { proof: `guess ${guess}` } })).status);
  }
  expect(statuses).toEqual([...new Array(10).fill(200), 429, 429]);
});

test.each([{}, { proof: '' }, { proof: 5 }, { proof: 'x'.repeat(201) }, { proof: null }, { proof: ['a'] }])(
  'rejects %j as a proof',
  async (body) => {
    const { client } = await signedInUser();
    expect((await client.send(sessionApi.prove, { body: body })).status).toBe(400);
  },
);
