import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { rawRequest } from '../testing/relay/raw-request.ts';
import { startTestApp, useTestApp } from '../testing/test-app.ts';
import { consoleFiles, createTestConsole } from '../testing/test-console.ts';

const consoleDir = createTestConsole();
/** A file next to the console, reachable only by path traversal. */
const neighbour = `${consoleDir}.secret`;
writeFileSync(neighbour, 'neighbour');
afterAll(() => {
  rmSync(consoleDir, { recursive: true });
  rmSync(neighbour);
});

const app = await useTestApp({ consoleDir });
const client = app.client();

const script = '/assets/app-abc123.js';
const consolePages = [
  ...['pages.ts', 'sign-in-pages.ts']
    .map((name) => readFileSync(new URL(`../../../console/src/app/${name}`, import.meta.url), 'utf8'))
    .join('')
    .matchAll(/path: '([^']+)'/g),
].map(([, path = '']) => path.replace(':id', '1'));

const get = (path: string, headers: Record<string, string> = {}) => client.request('GET', path, { headers });

describe('hashed console files', () => {
  test('hashed console files are cached by browsers permanently', async () => {
    const { status, headers } = await get(script);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('content-type')).toMatch(/^(text|application)\/javascript; charset=utf-8$/);
  });

  test.each([
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['identity', null],
    ['deflate', null],
    ['zstd', null],
  ])('hashed console files are sent with Accept-Encoding %s as %s', async (accepted, encoding) => {
    const { headers, text } = await get(script, { 'accept-encoding': accepted });
    expect(headers.get('content-encoding')).toBe(encoding);
    expect(headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
    expect(headers.get('content-type')).toMatch(/^(text|application)\/javascript; charset=utf-8$/);
    expect(text).toBe(consoleFiles.script);
  });

  test('hashed console files are sent uncompressed when no compressed version exists', async () => {
    const { headers, text } = await get('/assets/plain-def456.js', { 'accept-encoding': 'br, gzip' });
    expect(headers.get('content-encoding')).toBeNull();
    expect(text).toBe(consoleFiles.plain);
  });

  test('hashed console files that do not exist return 404 instead of the page', async () => {
    for (const path of ['/assets/missing.js', '/assets/', '/assets/app-abc123.js.br', '/assets/app-abc123.js.gz']) {
      const { status, headers } = await get(path);
      expect(status, path).toBe(404);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  test('hashed console files have the same security headers as the API', async () => {
    const { headers } = await get(script);
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

test('console files without a hash are revalidated each time', async () => {
  const { status, headers, text } = await get('/logo.png');
  expect(status).toBe(200);
  expect(text).toBe(consoleFiles.logo);
  expect(headers.get('cache-control')).toBe('no-cache');
  const again = await rawRequest(app.url, '/logo.png', { headers: { 'if-none-match': headers.get('etag') ?? '' } });
  expect(again.status).toBe(304);
});

describe('console page', () => {
  test.each([
    '/',
    '/token',
    '/channel/edit/1',
    '/any/path?with=query',
    '/index.html',
    '/apiary',
    '/v1-notes',
    '/a.b',
    '/chat',
    '/user/edit/1',
  ])('the console page is served at %s', async (path) => {
    const { status, headers, text } = await get(path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(text).toContain('<!doctype html>');
  });

  test('the console page contains the nonce of its policy, which is different each time', async () => {
    const nonces = await Promise.all(
      ['/', '/', '/login'].map(async (path) => {
        const { headers, text } = await get(path);
        const [, nonce = ''] = /'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '') ?? [];
        expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
        expect(text).toBe(consoleFiles.page.replaceAll('__CSP_NONCE__', nonce));
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(3);
  });

  test('the console page is not served to API clients at an unknown path', async () => {
    for (const path of ['/api', '/api/nothing', '/v1/nothing', '/dashboard/billing']) {
      const { status, headers } = await get(path);
      expect(status, path).toBe(404);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  test.each(consolePages)('the console page is served at the console path %s', async (path) => {
    const { status, headers } = await get(path, { authorization: 'Basic dXNlcjpwYXNz', accept: 'text/html,*/*' });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  test('the console page is not served for writes to an unknown path', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect((await client.request(method, '/token')).status).toBe(404);
    }
  });
});

test.each([script, '/logo.png', '/', '/any/path'])(
  'HEAD %s returns the headers of GET without a body',
  async (path) => {
    const headers = { 'accept-encoding': 'identity' };
    const whole = await client.request('GET', path, { headers });
    const head = await client.request('HEAD', path, { headers });
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    for (const name of ['content-type', 'content-length', 'cache-control']) {
      expect(head.headers.get(name)).toBe(whole.headers.get(name));
    }
  },
);

test.each([
  '/../',
  '/..%2f',
  '/%2e%2e/',
  '/%2e%2e%2f',
  '/assets/../../',
  '/assets/..%2f..%2f',
  '/assets/%2e%2e/%2e%2e/',
  '/..%5c',
  '/..;/',
  '/assets/..%252f..%252f',
  '//',
])('rejects path traversal with %s', async (way) => {
  for (const path of [`${way}${basename(neighbour)}`, `${way}..%2f..%2f..%2f..%2fetc/passwd`, `${way}${neighbour}`]) {
    const { text } = await rawRequest(app.url, path);
    expect(text).not.toContain('neighbour');
    expect(text).not.toContain('root:');
  }
});

test('a file added after the start is not served, because it is not part of the build', async () => {
  const late = join(consoleDir, 'late.txt');
  writeFileSync(late, 'late');
  const { text } = await get('/late.txt');
  rmSync(late);
  expect(text).toContain('<!doctype html>');
});

test('a visitor sees build instructions if the console is not built', async () => {
  await using bare = await startTestApp();
  const { status, text } = await bare.client().request('GET', '/');
  expect(status).toBe(503);
  expect(text).toBe('The console is not built. Run npm run build.');
});
