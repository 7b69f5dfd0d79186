import { reply, stream } from '@headgate/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const narrow = await useTestApp({ options: { UserConcurrencyLimit: '1' } });

type Scene = Awaited<ReturnType<typeof relayFixture>>;
let scene: Scene;
let limited: Scene;
const channelKey = 'upstream-key-123456';
const errorText = `The key ${channelKey} was refused at http://10.1.2.3:8080/v1`;

beforeAll(async () => {
  scene = await relayFixture(app, { upstreams: [reply({ error: { message: errorText } }, 400)] });
  limited = await relayFixture(app, { upstreams: [reply({})], token: { models: 'gpt-4o' } });
});
afterAll(() => Promise.all([scene.close(), limited.close()]));

const messages = [{ role: 'user', content: 'hi' }];
const contents = [{ parts: [{ text: 'hi' }] }];
const anthropic = { type: 'error', error: { type: expect.any(String), message: expect.any(String) } };
const openai = { error: { message: expect.any(String), type: expect.any(String) } };
const ollama = { error: expect.any(String) };
const google = (code: number) => ({ error: { code, message: expect.any(String), status: expect.any(String) } });

/** Endpoint, its request body for a model, and the shape of its errors. */
const endpoints = [
  ['/v1/messages', (model: string) => ({ model, max_tokens: 5, messages }), () => anthropic],
  ['/v1/messages/count_tokens', (model: string) => ({ model, messages }), () => anthropic],
  ['/v1/responses', (model: string) => ({ model, input: 'hi' }), () => openai],
  ['/v1beta/models/MODEL:generateContent', () => ({ contents }), google],
  ['/v1beta/models/MODEL:streamGenerateContent', () => ({ contents }), google],
  ['/v1beta/models/MODEL:countTokens', () => ({ contents }), google],
  ['/api/chat', (model: string) => ({ model, messages }), () => ollama],
  ['/api/generate', (model: string) => ({ model, prompt: 'hi' }), () => ollama],
  ['/api/embed', (model: string) => ({ model, input: 'hi' }), () => ollama],
] as const;

const pathFor = (path: string, model: string) => path.replace('MODEL', encodeURIComponent(model));

describe.each(endpoints)('%s', (path, bodyFor, errorOf) => {
  const post = (by: Scene, model: string, init: RequestInit = {}) =>
    by.post(pathFor(path, model), bodyFor(model), init);

  test.each(['gpt-3.5-turbo', 'GPT-4o', 'gpt-4o ', 'gpt-4o/../gpt-3.5-turbo', 'models/gpt-3.5-turbo', 'no-such-model'])(
    '[A15.3] rejects a token that may not use %s',
    async (model) => {
      const response = await post(limited, model);
      expect([403, 404], String(response.status)).toContain(response.status);
      expect(await response.json()).toMatchObject(errorOf(response.status));
      expect(limited.upstreams[0]?.received).toEqual([]);
    },
  );

  test('[A27.4] returns 404 for a model that no channel serves, even when counting tokens', async () => {
    const response = await post(scene, 'nobody-serves-this');
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject(errorOf(response.status));
  });

  test("[A28.4] rejects an invalid key in the dialect's error format", async () => {
    for (const headers of [
      {},
      { authorization: 'Bearer sk-not-a-key' },
      { 'x-api-key': 'a' },
      { 'x-goog-api-key': 'b' },
    ]) {
      const response = await post(scene, 'gpt-4o', { headers: { 'content-type': 'application/json', ...headers } });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject(errorOf(401));
    }
  });

  test.each([
    ['invalid JSON', '{', 400],
    ['JSON that is not an object', '[1]', 400],
    ['nothing', '', 400],
    ['JSON a hundred thousand levels deep', `{"messages":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400],
    ['a hundred thousand parts', `{"contents":[${'{},'.repeat(100_000)}{}]}`, 413],
    ['a duplicate key', '{"model":"a","model":"b"}', 400],
    ['bytes that are not text', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), 400],
  ])("[A24.5] rejects %s in the dialect's error format", async (_, body, status) => {
    const response = await scene.post(pathFor(path, 'gpt-4o'), '', { body });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject(errorOf(status));
  });

  test('[A24.8] does not read a large body if the balance is empty', async () => {
    const poor = await relayFixture(app, { quota: 0, upstreams: [] });
    const response = await poor.post(pathFor(path, 'gpt-4o'), `{"messages":"${'a'.repeat(1_000_000)}"}`);
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject(errorOf(402));
  });

  test('[A33.1] hides keys and private addresses in upstream errors', async () => {
    const response = await post(scene, 'gpt-4o');
    const responseText = await response.text();
    expect(responseText).not.toContain(channelKey);
    expect(responseText).not.toContain('10.1.2.3');
  });

  test('[A27.3] rejects even small and free requests if the balance is empty', async () => {
    const poor = await relayFixture(app, { quota: 0, upstreams: [reply({})] });
    const response = await post(poor, 'gpt-4o');
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject(errorOf(402));
    await poor.close();
  });

  test('[A1.5] [A27.3] counts requests against the concurrency limit', async () => {
    const endless = stream(['data: {"choices":[{"delta":{"content":"a"}}]}\n\n'], 'stall');
    const busy = await relayFixture(narrow, { upstreams: [endless] });
    const gone = new AbortController();
    await busy.chat({ stream: true }, { signal: gone.signal });
    const response = await post(busy, 'gpt-4o');
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.json()).toMatchObject(errorOf(429));
    gone.abort();
    await busy.upstreams[0]?.received[0]?.left;
    await busy.close();
  });
});

test('[A24.7] counts the tokens of long prompts and lone surrogates in the Anthropic and Google formats', async () => {
  const text = `\ud800${'7 '.repeat(1_500_000)}\udc00`;
  const half = JSON.stringify(text);
  const counted = await scene.post(
    '/v1/messages/count_tokens',
    `{"model":"gpt-4o","messages":[{"role":"user","content":${half}}]}`,
  );
  expect(((await counted.json()) as { input_tokens: number }).input_tokens).toBeGreaterThan(500_000);
  const request = `{"contents":[{"parts":[{"text":${half}}]}]}`;
  for (const body of [request, `{"generateContentRequest":${request}}`]) {
    const response = await scene.post('/v1beta/models/gpt-4o:countTokens', body);
    expect(((await response.json()) as { totalTokens: number }).totalTokens).toBeGreaterThan(500_000);
  }
});

describe('malformed addresses', () => {
  test.each([
    '/v1beta/models/%zz:generateContent',
    '/v1beta/models/..%2f..%2fapi:generateContent',
    '/v1beta/models/:generateContent',
    '/v1beta/models/a:b:c:zzz',
    `/v1beta/models/${'a'.repeat(8000)}:generateContent`,
    '/v1beta/models/a%00b:generateContent',
    '/v1beta/models/a:constructor',
    '/v1beta/models/a:toString?alt=sse',
    '/v1beta/models//:generateContent',
    '/v1beta/%zz',
    '/v1alpha/models/%zz:generateContent',
  ])("[A24.1] returns an error in Google's format for %s, and serves the next client", async (path) => {
    const response = await scene.post(path, { contents });
    expect([400, 404, 501, 503], `${response.status}`).toContain(response.status);
    expect(await response.json()).toMatchObject(google(response.status));
    expect((await fetch(`${app.url}/api/status`)).status).toBe(200);
  });
});
