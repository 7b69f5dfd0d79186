import { apiTables, type Endpoint, oauthApi, registrationApi, sessionApi, userApi } from '@headgate/contract';
import { Mailbox } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { useTestApp } from '../../testing/test-app.ts';

/**
 * Attacks 18 and 20, except for those covered by login-limits, unknown-names, email-code, password-reset and
 * provider-state.
 */
const box = await Mailbox.start();
afterAll(() => box.close());
const mailOptions = { SMTPServer: '127.0.0.1', SMTPPort: String(box.port), SMTPFrom: 'gateway@example.com' };
const app = await useTestApp({
  config: { publicUrl: 'https://gate.example' },
  options: { ...mailOptions, EmailVerificationEnabled: 'true' },
});
const { signedInUser, rowNamed } = accountsOf(app);

describe('[A18.4] email address', () => {
  const send = (email: string) => app.client().send(registrationApi.sendCode, { query: { email } });
  const codeFor = async (email: string) => {
    expect((await send(email)).body).toEqual(apiSuccess);
    return /^[A-Z0-9]{6}$/m.exec((await box.mailTo(email)).text)?.[0] ?? 'none';
  };

  test('email addresses are case-insensitive: all spellings belong to one account', async () => {
    await app.createUser({ email: 'case@example.com' });
    expect((await send('CASE@Example.COM')).body).toEqual(apiSuccess);
    expect((await box.mailTo('case@example.com')).subject).toContain('you already have an account');
  });

  test('an address with a plus tag or dots is a different address, and its code does not work for the plain address', async () => {
    const code = await codeFor('plus+tag@example.com');
    const register = (email: string) =>
      app.client().send(registrationApi.register, {
        body: { username: 'plus', password: 'long enough', email, verification_code: code },
      });
    const wrong = apiFailure('The verification code is wrong or has expired');
    for (const email of ['plus@example.com', 'p.lus+tag@example.com', 'plus+tag@example.org']) {
      expect((await register(email)).body).toEqual(wrong);
    }
    expect((await register('PLUS+tag@example.com')).body).toEqual(apiSuccess);
    expect(await rowNamed('plus')).toMatchObject({ email: 'plus+tag@example.com' });
  });

  test('a reset token for one address cannot reset another account’s password', async () => {
    const { user } = await signedInUser({ email: 'victim@example.com' });
    const { client } = await signedInUser({ email: 'attacker@example.com' });
    await client.send(registrationApi.requestReset, { query: { email: 'attacker@example.com' } });
    const { text } = await box.mailTo('attacker@example.com');
    const token = new URL(/https:\S+/.exec(text)?.[0] ?? '').searchParams.get('token') ?? '';
    const response = await client.send(registrationApi.reset, { body: { email: 'victim@example.com', token } });
    expect(response.body).toEqual(apiFailure('The reset link is not valid or has expired'));
    await app.signedIn(user.username, user.password);
  });
});

describe('[A18.1] rate limit per IP address', async () => {
  const { rateLimits } = readConfig({});
  const limited = await useTestApp({
    config: { rateLimits },
    options: { ...mailOptions, ServerAddress: 'https://g.example' },
  });
  const tries: readonly [string, Endpoint, (count: number) => object][] = [
    [
      'trying reset tokens',
      registrationApi.reset,
      (count) => ({ body: { email: 'a@example.com', token: `guess${count}` } }),
    ],
    [
      'requesting reset emails',
      registrationApi.requestReset,
      (count) => ({ query: { email: `a${count}@example.com` } }),
    ],
    ['requesting email codes', registrationApi.sendCode, (count) => ({ query: { email: `b${count}@example.com` } })],
    ['trying provider states', oauthApi.github, (count) => ({ query: { code: 'x', state: `guess${count}` } })],
  ];

  test.each(tries)('allows twenty %s in twenty minutes', async (_, row, input) => {
    const client = limited.client();
    const statuses: number[] = [];
    for (let count = 0; count < 22; count += 1) statuses.push((await client.send(row, input(count))).status);
    expect(statuses.filter((status) => status !== 429)).toHaveLength(20);
    expect(statuses.slice(-2)).toEqual([429, 429]);
  });
});

describe('cross-site request', () => {
  const rows: readonly Endpoint[] = Object.values(apiTables).flatMap((table) => Object.values(table));

  test('[A20.2] a cross-site request gets no CORS headers from any endpoint, with or without cookies', async () => {
    const { client } = await signedInUser();
    for (const { path } of rows) {
      const headers = {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      };
      const preflight = await client.request('OPTIONS', path.replace(/:\w+/g, '1'), { headers });
      const names = [...preflight.headers.keys()].filter((name) => name.startsWith('access-control-'));
      expect({ path, names }).toEqual({ path, names: [] });
    }
    const read = await client.request('GET', '/api/user/self', { headers: { origin: 'https://evil.example' } });
    expect(read.headers.has('access-control-allow-origin')).toBe(false);
    expect(read.headers.has('access-control-allow-credentials')).toBe(false);
  });

  test('[A20.1] a cross-site request cannot sign a visitor in to the attacker’s account', async () => {
    const user = await app.createUser();
    const body = { username: user.username, password: user.password };
    const victim = app.client();
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }] as const) {
      const response = await victim.send(sessionApi.login, { body, headers: headers as Record<string, string> });
      expect(response.status).toBe(403);
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    expect((await victim.send(userApi.self)).status).toBe(401);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    '[A20.1] a cross-site request cannot send a form of type %s instead of JSON',
    async (type) => {
      const user = await app.createUser();
      const rawBody = JSON.stringify({ username: user.username, password: user.password });
      const response = await app.client().send(sessionApi.login, { rawBody, headers: { 'content-type': type } });
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.headers.getSetCookie()).toEqual([]);
    },
  );
});
