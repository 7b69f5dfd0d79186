import { defaultRoot, sessionApi, userApi } from '@headgate/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../config.ts';
import { type TestApp, useTestApp } from '../testing/test-app.ts';

const none = readConfig({ API_RATE_LIMIT: '0', CRITICAL_RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' }).rateLimits;

/** So many failures in 15 minutes for an address and for an account; each login may come from another address. */
const useLimitedApp = (byAddress: number, byAccount: number) => {
  const loginAddress = { most: byAddress, seconds: 900 };
  const loginAccount = { most: byAccount, seconds: 900 };
  return useTestApp({
    config: { trustedProxies: ['127.0.0.0/8'], rateLimits: { ...none, loginAddress, loginAccount } },
  });
};

interface Origin {
  readonly from?: string;
  readonly language?: string;
}

const loginOn =
  (app: TestApp) =>
  (username: string, password: string, { from = '203.0.113.1', language = 'en' }: Origin = {}) =>
    app.client().send(sessionApi.login, {
      body: { username, password },
      headers: { 'x-forwarded-for': from, 'accept-language': language },
    });

const wrong = { success: false, message: 'Wrong username or password, or the account is banned' };
const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

// Only the time of day stands still; timers and sockets go on.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('an account', async () => {
  const app = await useLimitedApp(0, 3);
  const login = loginOn(app);
  const fail = async (username: string, times: number) => {
    for (let count = 0; count < times; count += 1) {
      expect((await login(username, 'wrong', { from: `203.0.113.${count}` })).body).toEqual(wrong);
    }
  };

  test('is locked after so many failures, for every address, the right password included', async () => {
    const { username, password } = await app.createUser();
    await fail(username, 3);
    const locked = await login(username, password, { from: '198.51.100.1' });
    expect(locked.status).toBe(429);
    expect(locked.headers.get('retry-after')).toBe('900');
    expect(locked.headers.getSetCookie()).toEqual([]);
    expect(locked.body).toEqual({ success: false, message: 'Too many failed logins. Try again in 900 seconds' });
    expect((await login(username, password, { language: 'zh' })).body).toEqual({
      success: false,
      message: '登录失败次数过多，请在 900 秒后重试',
    });
    pass(600);
    expect((await login(username, password)).headers.get('retry-after')).toBe('300');
    pass(300);
    expect((await login(username, password)).body).toMatchObject({ success: true });
  });

  test('is not locked longer by trying it meanwhile', async () => {
    const { username, password } = await app.createUser();
    await fail(username, 3);
    for (let count = 0; count < 20; count += 1) expect((await login(username, 'wrong')).status).toBe(429);
    pass(900);
    expect((await login(username, password)).body).toMatchObject({ success: true });
  });

  test('is the same whatever the case of its name, and apart from the others', async () => {
    const { username, password } = await app.createUser({ username: 'Ada' });
    await fail('ADA', 1);
    await fail('ａda', 1);
    await fail('ada', 1);
    expect((await login(username, password)).status).toBe(429);
    const other = await app.createUser();
    expect((await login(other.username, other.password)).body).toMatchObject({ success: true });
  });

  test('is forgiven by a success', async () => {
    const { username, password } = await app.createUser();
    for (let round = 0; round < 3; round += 1) {
      await fail(username, 2);
      expect((await login(username, password)).body).toMatchObject({ success: true });
    }
  });

  test.each(['nobody', 'toString', '__proto__', "' or 1=1 --"])('%s, which is none, is locked alike', async (name) => {
    await fail(name, 3);
    const locked = await login(name, 'wrong');
    expect(locked.status).toBe(429);
    expect(locked.headers.get('retry-after')).toBe('900');
  });

  test('keeps the sessions it has while it is locked', async () => {
    const { username, password } = await app.createUser();
    const client = await app.signedIn(username, password);
    await fail(username, 3);
    expect((await login(username, password)).status).toBe(429);
    expect(await client.call(userApi.self)).toMatchObject({ username });
  });

  test('is guessed no more often at once than one after the other', async () => {
    const { username, password } = await app.createUser();
    const guesses = Array.from({ length: 50 }, (_, index) =>
      login(username, `guess ${index}`, { from: `203.0.113.${index}` }),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(47);
    expect((await login(username, password)).status).toBe(429);
  });

  test('is locked by tries of the default password from afar too', async () => {
    for (let count = 0; count < 3; count += 1) {
      const { body } = await login(defaultRoot.username, defaultRoot.password);
      expect(body).toMatchObject({ message: expect.stringContaining('only on the machine itself') });
    }
    expect((await login(defaultRoot.username, defaultRoot.password)).status).toBe(429);
  });
});

describe('an address', async () => {
  const app = await useLimitedApp(3, 0);
  const login = loginOn(app);
  const fail = async (from: string, times: number) => {
    for (let count = 0; count < times; count += 1) {
      expect((await login(`nobody${count}`, 'wrong', { from })).body).toEqual(wrong);
    }
  };

  test('is locked after so many failures, whatever the accounts', async () => {
    const { username, password } = await app.createUser();
    const from = '203.0.113.10';
    await fail(from, 3);
    const locked = await login(username, password, { from });
    expect(locked.status).toBe(429);
    expect(locked.headers.get('retry-after')).toBe('900');
    expect((await login(username, password, { from: '203.0.113.11' })).body).toMatchObject({ success: true });
    pass(900);
    expect((await login(username, password, { from })).body).toMatchObject({ success: true });
  });

  test('is not forgiven by a success, nor charged for one', async () => {
    const { username, password } = await app.createUser();
    const from = '203.0.113.20';
    for (let count = 0; count < 10; count += 1) {
      expect((await login(username, password, { from })).body).toMatchObject({ success: true });
    }
    await fail(from, 2);
    expect((await login(username, password, { from })).body).toMatchObject({ success: true });
    await fail(from, 1);
    expect((await login(username, password, { from })).status).toBe(429);
  });

  test('is a /64 of IPv6', async () => {
    await fail('2001:db8::1', 1);
    await fail('2001:db8::ffff:1', 1);
    await fail('2001:DB8:0:0:1::', 1);
    expect((await login('nobody', 'wrong', { from: '2001:db8::2' })).status).toBe(429);
    await fail('2001:db8:0:1::1', 1);
  });

  test('is not what a client writes left of it', async () => {
    for (let count = 0; count < 3; count += 1) await fail(`198.51.100.${count}, 203.0.113.30`, 1);
    expect((await login('nobody', 'wrong', { from: '198.51.100.9, 203.0.113.30' })).status).toBe(429);
  });
});

describe('both together', async () => {
  const app = await useLimitedApp(4, 3);
  const login = loginOn(app);

  test('an address is not charged for an account that is locked already', async () => {
    const from = '203.0.113.40';
    for (let count = 0; count < 10; count += 1) await login('nobody', 'wrong', { from });
    expect((await login('somebody', 'wrong', { from })).body).toEqual(wrong);
    expect((await login('somebody', 'wrong', { from })).status).toBe(429);
  });

  test('many people of one address sign in at once', async () => {
    const people = await Promise.all(Array.from({ length: 50 }, () => app.createUser()));
    const answers = await Promise.all(people.map(({ username, password }) => login(username, password)));
    for (const { body } of answers) expect(body).toMatchObject({ success: true });
  });

  test('one person signs in at many places at once', async () => {
    const { username, password } = await app.createUser();
    const answers = await Promise.all(Array.from({ length: 50 }, () => login(username, password)));
    for (const { body } of answers) expect(body).toMatchObject({ success: true });
  });

  test('malformed logins are no guesses', async () => {
    const { username, password } = await app.createUser();
    for (let count = 0; count < 5; count += 1) expect((await login(username, '')).status).toBe(400);
    expect((await login(username, password)).body).toMatchObject({ success: true });
  });
});
