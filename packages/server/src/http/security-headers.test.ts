import { rmSync } from 'node:fs';
import { optionApi } from '@headgate/contract';
import { afterAll, describe, expect, test } from 'vitest';
import { startTestApp, useTestApp } from '../testing/test-app.ts';
import { createTestConsole } from '../testing/test-console.ts';

const consoleDir = createTestConsole();
afterAll(() => rmSync(consoleDir, { recursive: true }));

const app = await useTestApp({ consoleDir });

const headersOf = async (path: string) => (await app.client().request('GET', path)).headers;

/** Directives of a policy, by name. */
const directivesOf = (policy: string | null) =>
  Object.fromEntries((policy ?? '').split(';').map((part) => part.trim().split(/ (.*)/s, 2) as [string, string?]));

describe.each(['/', '/api/status', '/api/user/self', '/api/nothing', '/v1/nothing', '/healthz', '/assets/missing.js'])(
  'response security headers of %s',
  (path) => {
    test('the response disables type sniffing and referrers and does not reveal the server software', async () => {
      const headers = await headersOf(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('server')).toBeNull();
      expect(headers.get('access-control-allow-origin')).toBeNull();
    });
  },
);

describe('[A31.1] console Content-Security-Policy', () => {
  test('the policy allows no inline script and no eval', async () => {
    const directives = directivesOf((await headersOf('/')).get('content-security-policy'));
    expect(directives['script-src']).toBe("'self' https://challenges.cloudflare.com");
    expect(directives['default-src']).toBe("'self'");
    expect(JSON.stringify(directives)).not.toContain('unsafe');
  });

  test('the policy blocks plugins, base URLs and other injection vectors', async () => {
    expect(directivesOf((await headersOf('/')).get('content-security-policy'))).toMatchObject({
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
      'connect-src': "'self' https://api.github.com",
    });
  });

  test('the policy is sent as a single header', async () => {
    expect((await headersOf('/')).get('content-security-policy')?.match(/default-src/g)).toHaveLength(1);
  });
});

test.each(['/api/status', '/api/nothing', '/v1/nothing'])(
  'the Content-Security-Policy of %s allows nothing',
  async (path) => {
    expect((await headersOf(path)).get('content-security-policy')).toBe("sandbox; default-src 'none'");
  },
);

test('[A63.7] frames may show the origins of the chat link, home page and about page, and no others', async () => {
  const frames = async () => directivesOf((await headersOf('/')).get('content-security-policy'))['frame-src'];
  expect(await frames()).toBe('https://challenges.cloudflare.com');
  const root = await app.as('root');
  const set = (key: 'ChatLink' | 'HomePageContent' | 'About', value: string) =>
    root.call(optionApi.update, { body: { key, value } });
  await set('ChatLink', 'https://chat.example/app');
  await set('HomePageContent', 'https://home.example/');
  await set('About', `${app.url}/about`);
  expect(await frames()).toBe('https://challenges.cloudflare.com https://chat.example https://home.example');
  await set('ChatLink', '');
  await set('HomePageContent', '# Welcome to https://home.example/');
  expect(await frames()).toBe('https://challenges.cloudflare.com');
});

describe('strict transport security', () => {
  test('Strict-Transport-Security is sent for requests over HTTPS', async () => {
    await using proxied = await startTestApp({ config: { trustedProxies: ['127.0.0.1'] } });
    const headers = { 'x-forwarded-proto': 'https' };
    const response = await proxied.client().request('GET', '/api/status', { headers });
    expect(response.headers.get('strict-transport-security')).toBe('max-age=15552000');
  });

  test('Strict-Transport-Security is not sent over plain HTTP, even if an untrusted client claims HTTPS', async () => {
    const headers = { 'x-forwarded-proto': 'https' };
    const response = await app.client().request('GET', '/api/status', { headers });
    expect(response.headers.get('strict-transport-security')).toBeNull();
  });
});

test.each(['/api/status', '/api/user/self', '/api/user/logout', '/api/nothing', '/readyz'])(
  'the response of %s is not cached',
  async (path) => {
    const headers = (await (await app.as('user')).request('GET', path)).headers;
    expect(headers.get('cache-control')).toBe('no-store');
  },
);
