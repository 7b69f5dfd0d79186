import { sessionApi } from '@headgate/contract';
import { LoginProviders, reply, StubUpstream } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { startTestApp, type TestApp, useTestApp } from '../../testing/test-app.ts';

const cloudflare = await LoginProviders.start();
afterAll(() => cloudflare.close());

const limits = { ...readConfig({ API_RATE_LIMIT: '0', CRITICAL_RATE_LIMIT: '0' }).rateLimits };
const turnstile = { TurnstileCheckEnabled: 'true', TurnstileSiteKey: 'site', TurnstileSecretKey: 'secret' } as const;
const config = {
  trustedProxies: ['127.0.0.0/8'],
  rateLimits: limits,
  providerUrls: { turnstile: cloudflare.url },
};
const app = await useTestApp({ config, options: turnstile });
const plain = await useTestApp({ config });

interface Attempt {
  readonly username: string;
  readonly password: string;
  readonly token?: string;
  readonly from: string;
}

const login = ({ username, password, token, from }: Attempt, on: TestApp = app) =>
  on.client().send(sessionApi.login, {
    body: { username, password, turnstile: token },
    headers: { 'x-forwarded-for': from },
  });

const wrong = apiFailure(/^Wrong username or password/);
const needed = apiFailure('Several logins have failed; please complete the bot check and log in again');
const failed = apiFailure('The bot check failed; please reload the page and try again');
const checks = () => cloudflare.calls.filter(({ path }) => path === '/turnstile/v0/siteverify').length;

describe('bot check at login', () => {
  test('requires no bot check before three failures, and does not verify the token', async () => {
    const { username, password } = await app.createUser();
    const before = checks();
    for (let count = 0; count < 2; count += 1) {
      expect((await login({ username, password: 'wrong', from: `203.0.113.${count}` })).body).toEqual(wrong);
    }
    expect((await login({ username, password, token: 'good-unused', from: '203.0.113.9' })).body).toMatchObject({
      success: true,
    });
    expect(checks()).toBe(before);
  });

  test('requires a bot check after three failures for one account from any address, and allows the login once the check is passed', async () => {
    const { username, password } = await app.createUser();
    for (let count = 0; count < 3; count += 1) {
      expect((await login({ username, password: 'wrong', from: `198.51.100.${count}` })).body).toEqual(wrong);
    }
    const attempt = { username, password, from: '198.51.100.9' };
    for (let count = 0; count < 20; count += 1) expect((await login(attempt)).body).toEqual(needed);
    expect((await login({ ...attempt, token: 'bad' })).body).toEqual(failed);
    expect((await login({ ...attempt, token: 'good-1' })).body).toMatchObject({ success: true });
    expect((await login(attempt)).body).toMatchObject({ success: true });
  });

  test('accepts each bot check token once', async () => {
    const { username, password } = await app.createUser();
    for (let count = 0; count < 3; count += 1) {
      await login({ username, password: 'wrong', from: `192.0.2.${count}` });
    }
    const attempt = { username, password: 'still wrong', token: 'good-2', from: '192.0.2.9' };
    expect((await login(attempt)).body).toEqual(wrong);
    expect((await login({ ...attempt, password })).body).toEqual(failed);
    const many = await Promise.all(
      Array.from({ length: 4 }, () => login({ ...attempt, password: 'guess', token: 'good-3' })),
    );
    expect(many.filter(({ body }) => JSON.stringify(body).includes('Wrong username'))).toHaveLength(1);
  });

  test('requires a bot check after six failures from one address, for any accounts', async () => {
    const from = '203.0.113.77';
    for (let count = 0; count < 6; count += 1) {
      expect((await login({ username: `nobody${count}`, password: 'wrong', from })).body).toEqual(wrong);
    }
    const { username, password } = await app.createUser();
    expect((await login({ username, password, from })).body).toEqual(needed);
    expect((await login({ username, password, token: 'good-4', from })).body).toMatchObject({ success: true });
    expect((await login({ username, password, from: '203.0.113.78' })).body).toMatchObject({ success: true });
  });

  test('requires a bot check for unknown usernames too', async () => {
    for (let count = 0; count < 3; count += 1) {
      await login({ username: 'unknown-one', password: 'wrong', from: `203.0.113.${100 + count}` });
    }
    expect((await login({ username: 'unknown-one', password: 'wrong', from: '203.0.113.110' })).body).toEqual(needed);
  });

  test('never requires a bot check while it is disabled', async () => {
    const { username, password } = await plain.createUser();
    for (let count = 0; count < 5; count += 1) {
      expect((await login({ username, password: 'wrong', from: '203.0.113.1' }, plain)).body).toEqual(wrong);
    }
    expect((await login({ username, password, from: '203.0.113.1' }, plain)).body).toMatchObject({ success: true });
  });
});

test('[A18.5] fake bot check tokens do not delay logins of other users', async () => {
  const waiting: (() => void)[] = [];
  const slow = await StubUpstream.start((response, request) => {
    const respond = () => void reply({ success: request.text.includes('good') })(response, request);
    if (request.text.includes('good')) respond();
    else waiting.push(respond);
  });
  const slowConfig = { ...config, providerUrls: { turnstile: slow.url } };
  await using slowly = await startTestApp({ config: slowConfig, options: turnstile });
  const { username, password } = await slowly.createUser();
  for (let count = 0; count < 3; count += 1) {
    await login({ username, password: 'wrong', from: `198.51.100.${count}` }, slowly);
  }
  let responded = 0;
  const strangers = [10, 11, 12].map(async (number) => {
    await login({ username, password: 'guess', token: `bad-${number}`, from: `198.51.100.${number}` }, slowly);
    responded += 1;
  });
  await expect.poll(() => waiting.length).toBeGreaterThan(0);
  const owner = await login({ username, password, token: 'good', from: '203.0.113.200' }, slowly);
  expect(owner.body).toMatchObject({ success: true });
  expect(responded).toBe(0);
  await expect.poll(() => waiting.length).toBe(strangers.length);
  for (const respond of waiting) respond();
  await Promise.all(strangers);
  await slow.close();
});
