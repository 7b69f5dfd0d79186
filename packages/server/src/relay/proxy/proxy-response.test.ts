import type { RelayChannel } from '@headgate/relay';
import { expect, it } from 'vitest';
import { forwardedHeaders } from './proxy-response.ts';

const key = 'their-secret-key-123';
const channel = { key, config: {}, baseUrl: 'https://upstream.example' } as unknown as RelayChannel;
const own = { 'content-type': 'application/json', 'cache-control': 'no-store' };
const passed = (headers: Record<string, string>) =>
  forwardedHeaders({ 'content-type': 'application/json', ...headers }, channel);

it.each([
  'accept-ch',
  'access-control-allow-credentials',
  'access-control-allow-origin',
  'alt-svc',
  'anthropic-organization-id',
  'cache-control',
  'clear-site-data',
  'connection',
  'content-disposition',
  'content-length',
  'content-location',
  'content-security-policy',
  'cross-origin-opener-policy',
  'link',
  'location',
  'nel',
  'openai-organization',
  'origin-trial',
  'permissions-policy',
  'proxy-authenticate',
  'refresh',
  'report-to',
  'server',
  'service-worker-allowed',
  'set-cookie',
  'sourcemap',
  'speculation-rules',
  'strict-transport-security',
  'timing-allow-origin',
  'transfer-encoding',
  'use-as-dictionary',
  'www-authenticate',
  'x-accel-buffering',
  'x-accel-redirect',
  'x-content-type-options',
  'x-frame-options',
  'x-headgate-ignored',
  'x-request-id',
  'x-sendfile',
  'x-should-retry',
  'x-a-header-of-tomorrow',
])('[A63.9] does not forward the upstream header %s', (name) => {
  expect(passed({ [name]: 'anything', [name.toUpperCase()]: 'anything' })).toEqual(own);
});

it('[A63.9] forwards headers that clients need, with secrets masked', () => {
  const headers = {
    'retry-after': '3',
    'x-ratelimit-remaining-requests': '7',
    'anthropic-ratelimit-tokens-reset': '2026-01-01T00:00:00Z',
    'openai-processing-ms': '12',
    'content-encoding': 'gzip',
    'content-range': 'bytes 0-1/2',
    etag: '"a"',
  };
  expect(passed(headers)).toEqual({ ...own, ...headers });
  expect(passed({ 'Retry-After': '3' })).toEqual({ ...own, 'retry-after': '3' });
  expect(passed({ etag: `"${key}"` })['etag']).not.toContain(key);
});

it("turns off buffering of event streams in reverse proxies, regardless of the upstream's headers", () => {
  const events = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'yes' };
  expect(passed(events)).toMatchObject({ 'x-accel-buffering': 'no' });
});

it.each([
  ['an MCP session', { 'mcp-session-id': '0197-4f', 'mcp-protocol-version': '2025-06-18' }],
  [
    'the status of a speech job',
    { 'x-api-status-code': '20000001', 'x-api-message': 'Processing', 'x-tt-logid': 'a1' },
  ],
  ['metadata of a generated image', { 'finish-reason': 'CONTENT_FILTERED', seed: '7' }],
  ['token counts', { 'x-amzn-bedrock-input-token-count': '12' }],
])('[A63.9] forwards %s', (_, headers) => {
  expect(passed(headers)).toEqual({ ...own, ...headers });
});

it('[A63.8] drops a value of more than 1 kB', () => {
  expect(passed({ etag: 'x'.repeat(1025) })).toEqual(own);
});

it('[A63.4] replaces a content type that browsers execute', () => {
  expect(passed({ 'content-type': 'text/html' })['content-type']).toBe('application/octet-stream');
});
