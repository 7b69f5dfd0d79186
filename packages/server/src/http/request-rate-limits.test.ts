import { apiTables, type Endpoint, optionApi, registrationApi, statusApi, userApi } from '@headgate/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../config.ts';
import { RateLimiter, type RateLimits } from '../platform/rate-limits/rate-limits.ts';
import { rawRequest } from '../testing/relay/raw-request.ts';
import { startTestApp, type TestAppOptions, useTestApp } from '../testing/test-app.ts';

const none = readConfig({ API_RATE_LIMIT: '0', CRITICAL_RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' }).rateLimits;
const limited = (limits: Partial<RateLimits>) => ({ rateLimits: { ...none, ...limits } });

/** Behind a trusted proxy, so that every test can use its own address. */
const app = await useTestApp({
  config: { trustedProxies: ['127.0.0.0/8', '10.0.0.0/8'], ...limited({ api: { most: 3, seconds: 180 } }) },
});
const from = (address: string) => ({ 'x-forwarded-for': address });
const statusFrom = (address: string, headers: Readonly<Record<string, string>> = {}) =>
  app.client().send(statusApi.status, { headers: { ...from(address), ...headers } });
const use = async (address: string, times: number) => {
  for (let count = 0; count < times; count += 1) expect((await statusFrom(address)).status).toBe(200);
};

const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

// Only the date is faked; timers and sockets keep running.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('general rate limit', () => {
  test('rejects calls above the limit with a message and Retry-After until the window ends', async () => {
    const address = '203.0.113.1';
    await use(address, 3);
    const rejected = await statusFrom(address);
    expect(rejected.status).toBe(429);
    expect(rejected.headers.get('retry-after')).toBe('180');
    expect(rejected.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(rejected.headers.get('x-content-type-options')).toBe('nosniff');
    expect(rejected.headers.get('x-request-id')).toBeTruthy();
    expect(rejected.body).toEqual({ success: false, message: 'Too many requests. Try again in 180 seconds' });
    pass(60);
    const later = await statusFrom(address, { 'accept-language': 'zh-CN' });
    expect(later.headers.get('retry-after')).toBe('120');
    expect(later.body).toEqual({ success: false, message: '请求次数过多，请在 120 秒后重试' });
    pass(119.5);
    expect((await statusFrom(address)).headers.get('retry-after')).toBe('1');
    pass(0.5);
    await use(address, 3);
    expect((await statusFrom(address)).status).toBe(429);
  });

  test.each([
    ['an unknown path', 'GET', '/api/nothing'],
    ['a rejected call', 'GET', '/api/user/self'],
    ['the OpenAPI document', 'GET', '/api/openapi.json'],
    ['a path with a trailing slash', 'GET', '/api/status/'],
    ['a path with an encoded letter', 'GET', '/%61pi/status'],
    ['a HEAD request', 'HEAD', '/api/status'],
    ['a path with a query', 'GET', '/api?x=1'],
    ['another method', 'PATCH', '/api/status'],
  ])('counts %s towards the general limit', async (name, method, path) => {
    const headers = from(`counted: ${name}`);
    for (let count = 0; count < 3; count += 1) {
      expect((await rawRequest(app.url, path, { method, headers })).status).not.toBe(429);
    }
    expect((await rawRequest(app.url, path, { method, headers })).status).toBe(429);
    expect((await app.client().send(statusApi.status, { headers })).status).toBe(429);
  });

  test.each(['/healthz', '/readyz', '/', '/channel', '/assets/x.js', '/apis'])(
    'does not count %s towards the general limit',
    async (path) => {
      const address = `not counted: ${path}`;
      for (let count = 0; count < 4; count += 1) {
        expect((await app.client().request('GET', path, { headers: from(address) })).status).not.toBe(429);
      }
      await use(address, 3);
    },
  );

  test('applies before the body is read', async () => {
    const address = '203.0.113.2';
    await use(address, 3);
    for (const rawBody of ['{"not json', 'x'.repeat(2_000_000)]) {
      expect((await app.client().send(optionApi.update, { rawBody, headers: from(address) })).status).toBe(429);
    }
  });

  test('a limit of 0 disables the rate limit', async () => {
    await using free = await startTestApp();
    for (let count = 0; count < 30; count += 1) expect((await free.client().send(statusApi.status)).status).toBe(200);
  });
});

describe('client identity', () => {
  test('the client identity does not depend on headers', async () => {
    await using direct = await startTestApp({ config: limited({ api: { most: 1, seconds: 180 } }) });
    await direct.client().send(statusApi.status);
    for (const headers of [
      from('203.0.113.1'),
      from('203.0.113.2, 203.0.113.3'),
      { forwarded: 'for=203.0.113.4' },
      { 'x-real-ip': '203.0.113.5' },
      { 'cf-connecting-ip': '203.0.113.6' },
      { 'true-client-ip': '203.0.113.7' },
    ] as Readonly<Record<string, string>>[]) {
      expect((await direct.client().send(statusApi.status, { headers })).status).toBe(429);
    }
  });

  test('the client identity is the hop written by a trusted proxy', async () => {
    await use('203.0.113.9', 1);
    await use('198.51.100.7, 203.0.113.9', 1);
    await use('::ffff:203.0.113.9', 1);
    expect((await statusFrom('198.51.100.8, 203.0.113.9, 10.1.1.1')).status).toBe(429);
    await use('203.0.113.10', 1);
  });

  test('IPv6 clients are identified by their /64 network', async () => {
    await use('2001:db8:1:2::1', 1);
    await use('2001:db8:1:2:ffff:ffff:ffff:ffff', 1);
    await use('2001:DB8:1:2:0:0:0:3', 1);
    expect((await statusFrom('2001:db8:1:2::4')).status).toBe(429);
    await use('2001:db8:1:3::1', 1);
  });
});

describe('critical rate limit', () => {
  test('the critical limit covers exactly the expected endpoints', () => {
    const rows: Endpoint[] = Object.values(apiTables).flatMap((table) => Object.values(table));
    const marked = rows.filter(({ limit }) => limit === 'critical').map(({ method, path }) => `${method} ${path}`);
    expect(marked).toEqual([
      'POST /api/user/register',
      'GET /api/verification',
      'GET /api/reset_password',
      'POST /api/user/reset',
      'GET /api/oauth/github',
      'GET /api/oauth/lark',
      'GET /api/oauth/oidc',
      'GET /api/oauth/wechat',
      'GET /api/oauth/wechat/bind',
      'GET /api/oauth/email/bind',
      'POST /api/organization/',
      'POST /api/organization/:id/transfer',
      'POST /api/organization/:id/redeem',
      'POST /api/organization/:id/invitations',
      'POST /api/organization/:id/invitations/:invitation/resend',
      'POST /api/organization/invitation/read',
      'POST /api/organization/invitation/accept',
      'POST /api/organization/invitation/decline',
      'POST /api/organization/:id/scim/tokens',
      'POST /api/organization/:id/sso/domains/:sso_domain/verify',
      'GET /api/oauth/sso/:id',
      'POST /api/check_in',
    ]);
  });

  test('rejects all calls above the limit, successful or not, and no other calls', async () => {
    await using critical = await startTestApp({ config: limited({ critical: { most: 2, seconds: 1200 } }) });
    const register = (body: object) => critical.client().send(registrationApi.register, { body });
    expect((await register({ username: 'ada', password: 'correct horse' })).body).toMatchObject({ success: true });
    expect((await register({})).status).toBe(400);
    const rejected = await register({ username: 'grace', password: 'correct horse' });
    expect(rejected.status).toBe(429);
    expect(rejected.headers.get('retry-after')).toBe('1200');
    expect(rejected.body).toEqual({ success: false, message: 'Too many requests. Try again in 1200 seconds' });
    const names = await critical.database.selectFrom('users').select('username').execute();
    expect(names.map(({ username }) => username)).not.toContain('grace');
    expect((await critical.client().send(userApi.self)).status).toBe(401);
    pass(1200);
    expect((await register({ username: 'grace', password: 'correct horse' })).body).toMatchObject({ success: true });
  });

  test('each group of routes has a separate limit', async () => {
    const groups = { '/api/oauth/one': 'oauth', '/api/oauth/two': 'oauth', '/api/reset': 'reset' };
    const extend: TestAppOptions['extend'] = (fastify) => {
      for (const [path, criticalGroup] of Object.entries(groups)) {
        fastify.get(path, { config: { criticalGroup } }, () => ({ success: true }));
      }
    };
    await using critical = await startTestApp({ extend, config: limited({ critical: { most: 1, seconds: 1200 } }) });
    const statusOf = async (path: string) => (await critical.client().request('GET', path)).status;
    expect(await statusOf('/api/oauth/one')).toBe(200);
    expect(await statusOf('/api/oauth/two')).toBe(429);
    expect(await statusOf('/api/reset')).toBe(200);
    expect(await statusOf('/api/reset')).toBe(429);
  });
});

test('a limiter tracks only a fixed number of the most recent clients', async () => {
  const limiter = new RateLimiter({ most: 1, seconds: 900 }, 'tooManyRequests');
  await limiter.use('first');
  await limiter.use('second');
  for (let count = 0; count < 49_999; count += 1) await limiter.use(`other ${count}`);
  await expect(limiter.use('second')).rejects.toThrow();
  await expect(limiter.use('first')).resolves.toBeUndefined();
});
