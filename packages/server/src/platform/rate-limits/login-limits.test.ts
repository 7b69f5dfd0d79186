import { defaultRoot, secondFactorApi, sessionApi, userApi } from '@headgate/contract';
import { Secret, TOTP } from 'otpauth';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { hashPassword } from '../../accounts/users/password.ts';
import { readConfig } from '../../config.ts';
import { type TestApp, useTestApp } from '../../testing/test-app.ts';

const none = readConfig({ API_RATE_LIMIT: '0', CRITICAL_RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' }).rateLimits;

/** Failures allowed in 15 minutes per address and per account. Each login may come from a different address. */
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

// Only the date is frozen; timers and sockets keep running.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('[A18.1] account under attack', async () => {
  const app = await useLimitedApp(0, 3);
  const login = loginOn(app);
  let networks = 0;
  /** Each attempt comes from a different network. */
  const fail = async (username: string, times: number) => {
    for (let count = 0; count < times; count += 1) {
      networks += 1;
      const from = `10.${networks >> 8}.${networks & 255}.1`;
      expect((await login(username, 'wrong', { from })).body).toEqual(wrong);
    }
  };

  test('[A18.5] the owner can sign in from anywhere within seconds', async () => {
    const { username, password } = await app.createUser();
    await fail(username, 4);
    const waiting = await login(username, password, { from: '198.51.100.1' });
    expect(waiting.status).toBe(429);
    expect(waiting.headers.get('retry-after')).toBe('10');
    expect(waiting.headers.getSetCookie()).toEqual([]);
    expect(waiting.body).toEqual({ success: false, message: 'Too many failed logins. Try again in 10 seconds' });
    expect((await login(username, password, { language: 'zh', from: '198.51.100.1' })).body).toEqual({
      success: false,
      message: '登录失败次数过多，请在 10 秒后重试',
    });
    pass(10);
    expect((await login(username, password, { from: '198.51.100.1' })).body).toMatchObject({ success: true });
  });

  test('[A18.5] networks with earlier failures wait longer, so that the owner is not queued behind them', async () => {
    const { username, password } = await app.createUser();
    await fail(username, 3);
    const guesser = { from: '198.51.100.20' };
    expect((await login(username, 'wrong', guesser)).body).toEqual(wrong);
    expect((await login(username, 'wrong', guesser)).body).toEqual(wrong);
    expect((await login(username, 'wrong', guesser)).headers.get('retry-after')).toBe('30');
    pass(10);
    expect((await login(username, 'wrong', guesser)).headers.get('retry-after')).toBe('20');
    expect((await login(username, password, { from: '198.51.100.21' })).body).toMatchObject({ success: true });
  });

  test('[A18.5] the owner is not delayed on a known device or address', async () => {
    const { username, password } = await app.createUser();
    const owner = app.client();
    const from = { 'x-forwarded-for': '198.51.100.30' };
    const byOwner = (typed: string, headers: Record<string, string> = from) =>
      owner.send(sessionApi.login, { body: { username, password: typed }, headers });
    expect((await byOwner(password)).body).toMatchObject({ success: true });
    await fail(username, 4);
    expect((await login(username, password, { from: '198.51.100.31' })).status).toBe(429);
    expect((await login(username, password, { from: '198.51.100.30' })).body).toMatchObject({ success: true });
    await fail(username, 3);
    expect((await byOwner(password, { 'x-forwarded-for': '198.51.100.32' })).body).toMatchObject({ success: true });
    // A known device may guess as often as a network may.
    for (let count = 0; count < 3; count += 1) expect((await byOwner('wrong')).body).toEqual(wrong);
    expect((await byOwner(password)).headers.get('retry-after')).toBe('900');
  });

  test('[A18.6] a device is recognized by a cookie that cannot be forged or used for another account', async () => {
    const { id, username, password } = await app.createUser();
    const other = app.client();
    const stranger = await app.createUser();
    await other.call(sessionApi.login, { body: { username: stranger.username, password: stranger.password } });
    const mark = decodeURIComponent(other.cookies.get('headgate_device') ?? '');
    expect(mark).toMatch(new RegExp(`^${stranger.id}\\.[\\w-]{16}\\.\\d+\\.[0-9a-f]{64}$`));
    await fail(username, 4);
    for (const forged of [mark, mark.replace(/^\d+/, String(id)), `${id}`, `${id}...`, `${id}.x.9999999999.`]) {
      const visitor = app.client();
      visitor.cookies.set('headgate_device', forged);
      const headers = { 'x-forwarded-for': '198.51.100.40' };
      expect((await visitor.send(sessionApi.login, { body: { username, password }, headers })).status).toBe(429);
    }
  });

  test('an account is locked for a network with too many failures, and only for that network', async () => {
    const { username, password } = await app.createUser();
    const from = '198.51.100.50';
    for (let count = 0; count < 3; count += 1) expect((await login(username, 'wrong', { from })).body).toEqual(wrong);
    const locked = await login(username, password, { from });
    expect(locked.headers.get('retry-after')).toBe('900');
    expect((await login(username, password, { from: '198.51.100.51' })).body).toMatchObject({ success: true });
    for (let count = 0; count < 20; count += 1) expect((await login(username, 'wrong', { from })).status).toBe(429);
    pass(900);
    expect((await login(username, password, { from })).body).toMatchObject({ success: true });
  });

  test('failures are counted case-insensitively by name, separately for each account', async () => {
    const { username, password } = await app.createUser({ username: 'Ada' });
    await fail('ADA', 1);
    await fail('ａda', 1);
    await fail('ada', 2);
    expect((await login(username, password)).status).toBe(429);
    const other = await app.createUser();
    expect((await login(other.username, other.password)).body).toMatchObject({ success: true });
  });

  test('a successful login resets the failures', async () => {
    const { username, password } = await app.createUser();
    for (let round = 0; round < 3; round += 1) {
      await fail(username, 2);
      expect((await login(username, password)).body).toMatchObject({ success: true });
    }
  });

  test.each(['nobody', 'toString', '__proto__', "' or 1=1 --"])(
    '[A18.2] the unknown username %s is protected in the same way',
    async (name) => {
      await fail(name, 4);
      const waiting = await login(name, 'wrong', { from: '198.51.100.60' });
      expect(waiting.status).toBe(429);
      expect(waiting.headers.get('retry-after')).toBe('10');
    },
  );

  test('sessions stay valid while others guess the password', async () => {
    const { username, password } = await app.createUser();
    const client = await app.signedIn(username, password);
    await fail(username, 4);
    expect((await login(username, password, { from: '198.51.100.70' })).status).toBe(429);
    expect(await client.call(userApi.self)).toMatchObject({ username });
  });

  test('concurrent guesses are limited like sequential ones', async () => {
    const password = 'correct horse';
    // Uses the real hashing cost: otherwise all attempts would be in progress before the first one fails.
    const { username } = await app.createUser({ password_hash: await hashPassword(password) });
    const guesses = Array.from({ length: 50 }, (_, index) =>
      login(username, `guess ${index}`, { from: `203.0.113.${index}` }),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    // Three at first, then one every ten seconds.
    expect(statuses.filter((status) => status === 200)).toHaveLength(4);
    expect(statuses.filter((status) => status === 429)).toHaveLength(46);
    expect((await login(username, password, { from: '198.51.100.80' })).status).toBe(429);
  });

  test('remote attempts with the default password count as failures too', async () => {
    for (let count = 0; count < 3; count += 1) {
      const { body } = await login(defaultRoot.username, defaultRoot.password);
      expect(body).toMatchObject({ message: expect.stringContaining('only on the machine itself') });
    }
    expect((await login(defaultRoot.username, defaultRoot.password)).status).toBe(429);
  });

  test('[A18.1] guesses per day are limited across any number of networks', async () => {
    const { username } = await app.createUser();
    let tried = 0;
    for (let seconds = 0; seconds < 600; seconds += 5) {
      networks += 1;
      const clean = `10.${networks >> 8}.${networks & 255}.1`;
      for (const from of [clean, clean]) {
        if ((await login(username, 'wrong', { from })).status === 200) tried += 1;
      }
      pass(5);
    }
    // One every ten seconds from networks without failures, one every thirty from the others, plus the initial three.
    expect(tried).toBeLessThanOrEqual(3 + 600 / 10 + 600 / 30);
    expect(tried).toBeGreaterThan(60);
  });
});

describe('[A18.6] username that imitates a key of another limiter', async () => {
  const app = await useLimitedApp(3, 3);
  const login = loginOn(app);

  test('a username that imitates a limiter key does not lock a second factor, a proof or an address', async () => {
    const { id, username, password } = await app.createUser();
    const client = await app.signedIn(username, password);
    const { secret } = await client.call(secondFactorApi.begin);
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    const names = [
      `second factor of ${id}`,
      `["second factor","${id}"]`,
      `proof\n${id}`,
      '["network","127.0.0.1"]',
      '127.0.0.1',
    ];
    for (const [index, name] of names.entries()) {
      for (let count = 0; count < 4; count += 1) await login(name, 'wrong', { from: `10.9.${index}.${count}` });
    }
    expect((await client.send(sessionApi.prove, { body: { proof: password } })).body).toMatchObject({ success: true });
    expect((await client.send(secondFactorApi.confirm, { body: { code } })).body).toMatchObject({ success: true });
    const visitor = app.client();
    expect((await visitor.send(sessionApi.login, { body: { username, password } })).body).toMatchObject({
      message: 'second_factor',
    });
  });
});

describe('[A18.1] failures of an IP address', async () => {
  const app = await useLimitedApp(3, 0);
  const login = loginOn(app);
  const fail = async (from: string, times: number) => {
    for (let count = 0; count < times; count += 1) {
      expect((await login(`nobody${count}`, 'wrong', { from })).body).toEqual(wrong);
    }
  };

  test('too many failures lock the address, regardless of the accounts tried', async () => {
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

  test('failures of an IP address are neither reset nor increased by a successful login', async () => {
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

  test('failures of an IP address are counted per /64 network for IPv6', async () => {
    await fail('2001:db8::1', 1);
    await fail('2001:db8::ffff:1', 1);
    await fail('2001:DB8:0:0:1::', 1);
    expect((await login('nobody', 'wrong', { from: '2001:db8::2' })).status).toBe(429);
    await fail('2001:db8:0:1::1', 1);
  });

  test('the failure count of an IP address ignores addresses that the client adds to X-Forwarded-For', async () => {
    for (let count = 0; count < 3; count += 1) await fail(`198.51.100.${count}, 203.0.113.30`, 1);
    expect((await login('nobody', 'wrong', { from: '198.51.100.9, 203.0.113.30' })).status).toBe(429);
  });
});

describe('account and address limits together', async () => {
  const app = await useLimitedApp(4, 3);
  const login = loginOn(app);

  test('attempts on a locked account do not count against the address', async () => {
    const from = '203.0.113.40';
    for (let count = 0; count < 10; count += 1) await login('nobody', 'wrong', { from });
    expect((await login('somebody', 'wrong', { from })).body).toEqual(wrong);
    expect((await login('somebody', 'wrong', { from })).status).toBe(429);
  });

  test('many users behind one IP address can sign in concurrently', async () => {
    const people = await Promise.all(Array.from({ length: 50 }, () => app.createUser()));
    const responses = await Promise.all(people.map(({ username, password }) => login(username, password)));
    for (const { body } of responses) expect(body).toMatchObject({ success: true });
  });

  test('one user can sign in many times concurrently', async () => {
    const { username, password } = await app.createUser();
    const responses = await Promise.all(Array.from({ length: 50 }, () => login(username, password)));
    for (const { body } of responses) expect(body).toMatchObject({ success: true });
  });

  test('malformed logins do not count as guesses', async () => {
    const { username, password } = await app.createUser();
    for (let count = 0; count < 5; count += 1) expect((await login(username, '')).status).toBe(400);
    expect((await login(username, password)).body).toMatchObject({ success: true });
  });
});
