import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { useTestApp } from '../testing/test-app.ts';

const script = 'document.documentElement.classList.add("dark")';
const docsDir = mkdtempSync(join(tmpdir(), 'headgate-docs-'));
mkdirSync(join(docsDir, 'assets'));
writeFileSync(
  join(docsDir, 'index.html'),
  `<script id="dark">${script}</script><script type="module" src="/x.js"></script>`,
);
writeFileSync(join(docsDir, 'install.html'), '<p>Install</p>');
writeFileSync(join(docsDir, '404.html'), '<p>Not found</p>');
writeFileSync(join(docsDir, 'assets/app.abc.js'), 'export {};');
writeFileSync(`${docsDir}.secret`, 'outside');
afterAll(() => {
  rmSync(docsDir, { recursive: true });
  rmSync(`${docsDir}.secret`);
});

const app = await useTestApp({ docsDir });
const get = (path: string) => app.client().request('GET', path);

test('serves the pages of the documentation under /docs', async () => {
  for (const [path, content] of [
    ['/docs/index.html', '<script id="dark">'],
    ['/docs/install.html', '<p>Install</p>'],
  ] as const) {
    const { status, headers, text } = await get(path);
    expect(status, path).toBe(200);
    expect(text, path).toContain(content);
    expect(headers.get('content-type'), path).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control'), path).toBe('no-cache');
  }
});

test('redirects /docs to the index page', async () => {
  for (const path of ['/docs', '/docs/']) {
    const { status, headers } = await get(path);
    expect({ status, location: headers.get('location') }, path).toEqual({ status: 302, location: '/docs/index.html' });
  }
});

test("allows only the build's inline scripts, by their hashes", async () => {
  const policy = (await get('/docs/install.html')).headers.get('content-security-policy') ?? '';
  const hash = createHash('sha256').update(script).digest('base64');
  expect(policy.split('; ')).toContain(`script-src 'self' 'sha256-${hash}'`);
  expect(policy).toContain("frame-ancestors 'none'");
});

test('lets browsers cache hashed files', async () => {
  const { status, headers } = await get('/docs/assets/app.abc.js');
  expect(status).toBe(200);
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});

test("returns the documentation's 404 page for an unknown page", async () => {
  for (const path of ['/docs/missing', '/docs/assets/missing.js', `/docs/..%2f${docsDir.split('/').at(-1)}.secret`]) {
    const { status, text } = await get(path);
    expect({ status, text }, path).toEqual({ status: 404, text: '<p>Not found</p>' });
  }
});

test('returns build instructions when the documentation is missing', async () => {
  const bare = await useTestApp();
  const { status, text } = await bare.client().request('GET', '/docs');
  expect(status).toBe(503);
  expect(text).toBe('The documentation is not built: run npm run site.');
});
