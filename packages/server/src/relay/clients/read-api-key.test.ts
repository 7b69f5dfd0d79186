import { completion } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const scene = await relayFixture(app, { upstreams: [completion()] });
afterAll(() => scene.close());

const key = `sk-${scene.token.key}`;
const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] });

const ways: readonly [name: string, headers: Record<string, string>, query: string][] = [
  ['a bearer token', { authorization: `Bearer ${key}` }, ''],
  ['a bare authorization', { authorization: key }, ''],
  ['Anthropic’s header', { 'x-api-key': key }, ''],
  ['Google’s header', { 'x-goog-api-key': key }, ''],
  ['Azure’s header', { 'api-key': key }, ''],
  ['Google’s query', {}, `?key=${key}`],
];

test.each(ways)('accepts a key as %s on the relay ingress and on Fastify routes', async (_, headers, query) => {
  const chat = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
  expect((await fetch(`${app.url}/v1/chat/completions${query}`, chat)).status).toBe(200);
  expect((await fetch(`${app.url}/v1/models${query}`, { headers })).status).toBe(200);
});

test('does not fall back to another header when the bearer token is wrong', async () => {
  const headers = { authorization: 'Bearer sk-wrong', 'x-api-key': key };
  expect((await fetch(`${app.url}/v1/models`, { headers })).status).toBe(401);
});
