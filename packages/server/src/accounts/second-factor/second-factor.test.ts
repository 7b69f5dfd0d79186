import { logApi, oauthApi, role, secondFactorApi, sessionApi, userApi } from '@headgate/contract';
import type { ApiClient } from '@headgate/testkit';
import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../config.ts';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import {
  newProviderUser,
  providerIssuers,
  useLoginProviderFixture,
} from '../../testing/relay/login-provider-fixture.ts';
import { startTestApp, type TestUser } from '../../testing/test-app.ts';

const { app, come, providers } = await useLoginProviderFixture();
const { signedInUser, rowOf, logsOf } = accountsOf(app);

// Only the date is faked; timers and sockets keep running.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());
const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

const wrong = apiFailure('The code is wrong, has expired or was used already');
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

/** Enables it through the API, as the console does. */
async function turnOn(client: ApiClient) {
  const { secret, uri } = await client.call(secondFactorApi.begin);
  const backupCodes = await client.call(secondFactorApi.confirm, { body: { code: codeOf(secret) } });
  pass(30);
  return { secret, uri, backupCodes };
}

async function protectedUser(given = {}) {
  const { user, client } = await signedInUser(given);
  return { user, client, ...(await turnOn(client)) };
}

const login = (client: ApiClient, { username, password }: TestUser) =>
  client.send(sessionApi.login, { body: { username, password } });
const ticketOf = (body: unknown) => (body as { ticket: string }).ticket;
const isSignedIn = async (client: ApiClient) => (await client.send(userApi.self)).status === 200;

describe('enabling the second factor', () => {
  test('returns a secret for an authenticator app and backup codes', async () => {
    const { user, client } = await signedInUser();
    expect(await client.call(secondFactorApi.status)).toEqual({ isOn: false, backupCodes: 0, isRequired: false });
    const { secret, uri } = await client.call(secondFactorApi.begin);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toMatch(new RegExp(`^otpauth://totp/Headgate:${user.username}\\?issuer=Headgate&secret=${secret}`));
    const codes = await client.call(secondFactorApi.confirm, { body: { code: codeOf(secret) } });
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[A-Z2-9]{5}-[A-Z2-9]{5}$/);
    expect(await client.call(secondFactorApi.status)).toEqual({ isOn: true, backupCodes: 10, isRequired: false });
    expect((await logsOf(user.id)).at(-1)?.content).toBe(`${user.username} turned on the second factor`);
  });

  test('stores neither the secret nor the codes in plain text', async () => {
    const { secret, backupCodes, user } = await protectedUser();
    const stored = JSON.stringify([
      await app.database.selectFrom('authenticators').selectAll().where('user_id', '=', user.id).execute(),
      await app.database.selectFrom('backup_codes').selectAll().where('user_id', '=', user.id).execute(),
    ]);
    expect(stored).not.toContain(secret);
    for (const code of backupCodes) expect(stored).not.toContain(code.replace('-', ''));
  });

  test('enabling fails with a wrong code, and an unconfirmed setup does not affect logins', async () => {
    const { user, client } = await signedInUser();
    await client.call(secondFactorApi.begin);
    expect((await client.send(secondFactorApi.confirm, { body: { code: '000000' } })).body).toEqual(wrong);
    expect((await login(app.client(), user)).body).toMatchObject({ success: true, data: { id: user.id } });
  });

  test('enabling fails without a started setup and when already enabled', async () => {
    const { client } = await signedInUser();
    expect((await client.send(secondFactorApi.confirm, { body: { code: '123456' } })).body).toEqual(wrong);
    await turnOn(client);
    expect((await client.send(secondFactorApi.begin)).body).toEqual(apiFailure(/Two-step login is already on/));
  });
});

describe('login with a second factor', () => {
  test('a password login opens no session and requires the code', async () => {
    const { user, secret } = await protectedUser();
    const client = app.client();
    const { body, headers } = await login(client, user);
    expect(body).toEqual({ success: true, message: 'second_factor', ticket: expect.stringMatching(/^[\w-]{32}$/) });
    expect(headers.getSetCookie().join()).not.toContain('headgate_session');
    expect(await isSignedIn(client)).toBe(false);
    const response = await client.send(secondFactorApi.login, {
      body: { ticket: ticketOf(body), code: ` ${codeOf(secret).replace(/(...)/, '$1 ')} ` },
    });
    expect(response.body).toMatchObject({ success: true, data: { id: user.id, username: user.username } });
    expect(await isSignedIn(client)).toBe(true);
  });

  test('a login through a provider also requires the code', async () => {
    const person = newProviderUser();
    const first = app.client();
    await come(first, 'github', person);
    const { secret } = await turnOn(first);
    for (const provider of ['github', 'wechat'] as const) {
      const client = app.client();
      const id = (await first.call(userApi.self)).id;
      await app.database
        .updateTable('users')
        .set({ wechat_id: `wx-${person.id}`, ...providerIssuers(providers) })
        .where('id', '=', id)
        .execute();
      const { body } = await come(client, provider, person);
      expect(body).toEqual({ success: true, message: 'second_factor', ticket: expect.any(String) });
      expect(await isSignedIn(client)).toBe(false);
      pass(30);
      const given = { ticket: ticketOf(body), code: codeOf(secret) };
      expect((await client.send(secondFactorApi.login, { body: given })).body).toMatchObject({ success: true });
    }
  });

  test('accepts only the codes of the current, the previous and the next period', async () => {
    const { user, secret } = await protectedUser();
    for (const [offset, isRight] of [
      [-30, true],
      [30, true],
      [-90, false],
      [90, false],
    ] as const) {
      pass(300);
      const client = app.client();
      const ticket = ticketOf((await login(client, user)).body);
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + offset * 1000 });
      const { body } = await client.send(secondFactorApi.login, { body: { ticket, code } });
      expect(body).toMatchObject({ success: isRight });
    }
  });

  test('accepts each code once, even concurrently', async () => {
    const { user, secret } = await protectedUser();
    const code = codeOf(secret);
    const tries = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const client = app.client();
        const ticket = ticketOf((await login(client, user)).body);
        return client.send(secondFactorApi.login, { body: { ticket, code } });
      }),
    );
    expect(tries.filter(({ body }) => (body as { success: boolean }).success)).toHaveLength(1);
  });

  test('accepts each backup code once, regardless of case and separators', async () => {
    const { user, client: own, backupCodes } = await protectedUser();
    const [code = ''] = backupCodes;
    const tryCode = async (given: string) => {
      const client = app.client();
      const ticket = ticketOf((await login(client, user)).body);
      return (await client.send(secondFactorApi.login, { body: { ticket, code: given } })).body;
    };
    expect(await tryCode(` ${code.toLowerCase().replace('-', '')} `)).toMatchObject({ success: true });
    expect(await tryCode(code)).toEqual(wrong);
    expect(await own.call(secondFactorApi.status)).toMatchObject({ backupCodes: 9 });
  });

  test('a login can be completed only once, only in the browser that started it, and only within five minutes', async () => {
    const { user, secret } = await protectedUser();
    const client = app.client();
    const ticket = ticketOf((await login(client, user)).body);
    const send = (by: ApiClient, code: string) => by.send(secondFactorApi.login, { body: { ticket, code } });
    expect((await send(app.client(), codeOf(secret))).status).toBe(403);
    expect((await send(client, codeOf(secret))).body).toMatchObject({ success: true });
    pass(30);
    expect((await send(client, codeOf(secret))).status).toBe(403);
    const late = app.client();
    const lateTicket = ticketOf((await login(late, user)).body);
    pass(301);
    const body = { ticket: lateTicket, code: codeOf(secret) };
    expect((await late.send(secondFactorApi.login, { body })).status).toBe(403);
  });

  test('a login fails if the user was banned in the meantime', async () => {
    const { user, secret } = await protectedUser();
    const client = app.client();
    const ticket = ticketOf((await login(client, user)).body);
    await app.database.updateTable('users').set({ status: 2 }).where('id', '=', user.id).execute();
    expect((await client.send(secondFactorApi.login, { body: { ticket, code: codeOf(secret) } })).status).toBe(403);
    expect(await isSignedIn(client)).toBe(false);
  });

  test('ten wrong codes lock the account', async () => {
    vi.useRealTimers();
    await using limited = await startTestApp({
      config: { rateLimits: { ...readConfig({ API_RATE_LIMIT: '0' }).rateLimits } },
    });
    const user = await limited.createUser();
    const own = await limited.signedIn(user.username, user.password);
    const { secret } = await own.call(secondFactorApi.begin);
    await own.call(secondFactorApi.confirm, { body: { code: codeOf(secret) } });
    const client = limited.client();
    const ticket = ticketOf((await login(client, user)).body);
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess += 1) {
      const body = { ticket, code: String(100_000 + guess) };
      statuses.push((await client.send(secondFactorApi.login, { body })).status);
    }
    expect(statuses).toEqual([...new Array(10).fill(200), 429, 429]);
  });
});

describe('changes that require a code', () => {
  test('renewing the backup codes invalidates the old ones', async () => {
    const { user, client, secret, backupCodes } = await protectedUser();
    const renewed = await client.call(secondFactorApi.renewBackupCodes, { body: { code: codeOf(secret) } });
    expect(renewed).toHaveLength(10);
    expect(renewed).not.toEqual(backupCodes);
    expect((await client.send(secondFactorApi.remove, { body: { code: backupCodes[0] } })).body).toEqual(wrong);
    expect((await client.send(secondFactorApi.remove, { body: { code: renewed[0] } })).body).toEqual(apiSuccess);
    expect(await rowOf(user.id)).toMatchObject({ second_factor: 0 });
    expect((await login(app.client(), user)).body).toMatchObject({ data: { id: user.id } });
    expect(await client.call(secondFactorApi.status)).toMatchObject({ isOn: false, backupCodes: 0 });
  });

  test('disabling the second factor requires a code', async () => {
    const { user, client } = await protectedUser();
    expect((await client.send(secondFactorApi.remove, { body: { code: '000000' } })).body).toEqual(wrong);
    expect(await rowOf(user.id)).toMatchObject({ second_factor: 1 });
  });
});

test('admins who must have a second factor cannot act as admins until they set one up', async () => {
  await using strict = await startTestApp({ options: { AdminSecondFactorEnabled: 'true' } });
  const { username, password } = await strict.createUser({ role: role.admin });
  const admin = await strict.signedIn(username, password);
  const response = await admin.send(logApi.list, { query: {} });
  expect(response.status).toBe(403);
  expect(response.body).toEqual(apiFailure(/^Admins must use a second factor/));
  expect(await admin.call(secondFactorApi.status)).toMatchObject({ isOn: false, isRequired: true });
  await turnOn(admin);
  expect((await admin.send(logApi.list, { query: {} })).status).toBe(200);
  const common = await strict.as('user');
  expect((await common.send(userApi.self)).status).toBe(200);
  expect((await common.send(oauthApi.state)).status).toBe(200);
});
