import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { optionApi } from '@headgate/contract';
import { completion, embeddingResponse, plainPrice } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const scene = await relayFixture(app, { upstreams: [completion()] });
const limited = await relayFixture(app, {
  upstreams: [completion()],
  token: { unlimited_quota: false, remain_quota: 500_000 },
});
afterAll(() => Promise.all([scene.close(), limited.close()]));

const send = (method: string, path: string, key: string = scene.token.key, more: RequestInit = {}) =>
  fetch(`${app.url}${path}`, { method, headers: { authorization: `Bearer sk-${key}` }, ...more });

test('serves embeddings on the engine path with the model in the path, unless the body names one', async () => {
  const embedding = await relayFixture(app, { upstreams: [embeddingResponse] });
  expect((await embedding.post('/v1/engines/gpt-4o/embeddings', { input: 'one' })).status).toBe(200);
  await embedding.post('/v1/engines/gpt-4o/embeddings', { input: 'one', model: 'gpt-3.5-turbo' });
  expect(embedding.upstreams[0]?.received).toMatchObject([
    { path: '/v1/embeddings', body: { model: 'gpt-4o', input: 'one' } },
    { path: '/v1/embeddings', body: { model: 'gpt-3.5-turbo' } },
  ]);
  expect((await embedding.books()).logs).toMatchObject([{ model_name: 'gpt-4o' }, { model_name: 'gpt-3.5-turbo' }]);
  await embedding.close();
});

describe.each(['/dashboard/billing', '/v1/dashboard/billing'])('billing endpoints below %s', (path) => {
  const read = async (name: string, key: string) => (await send('GET', `${path}/${name}`, key)).json();
  const set = async (key: 'DisplayTokenStatEnabled' | 'DisplayInCurrencyEnabled', value: string) =>
    (await app.signedIn('root', '123456')).call(optionApi.update, { body: { key, value } });

  test('billing endpoints report a limited token in dollars and points, and its user', async () => {
    await limited.chat();
    const used = (await limited.books()).user.used_quota;
    expect(used % plainPrice).toBe(0);
    expect(await read('subscription', limited.token.key)).toEqual({
      object: 'billing_subscription',
      has_payment_method: true,
      soft_limit_usd: 1,
      hard_limit_usd: 1,
      system_hard_limit_usd: 1,
      access_until: 0,
    });
    expect(await read('usage', limited.token.key)).toEqual({ object: 'list', total_usage: (used / 500_000) * 100 });
    await set('DisplayInCurrencyEnabled', 'false');
    expect(await read('subscription', limited.token.key)).toMatchObject({ hard_limit_usd: 500_000 });
    expect(await read('usage', limited.token.key)).toMatchObject({ total_usage: used * 100 });
    await set('DisplayTokenStatEnabled', 'false');
    expect(await read('subscription', limited.token.key)).toMatchObject({ hard_limit_usd: 1_000_000, access_until: 0 });
    await set('DisplayInCurrencyEnabled', 'true');
    await set('DisplayTokenStatEnabled', 'true');
  });

  test('billing endpoints report an unlimited token, and reject an unknown one', async () => {
    expect(await read('subscription', scene.token.key)).toMatchObject({ hard_limit_usd: 100_000_000 });
    expect((await send('GET', `${path}/usage`, 'nobody')).status).toBe(401);
  });
});

describe('browsers on other sites', () => {
  test.each(['/v1/chat/completions', '/v1/models', '/v1/engines/x/embeddings', '/dashboard/billing/usage'])(
    'browsers on other sites may send a preflight request for %s, without credentials',
    async (path) => {
      const headers = { origin: 'https://chat.example', 'access-control-request-method': 'POST' };
      const response = await fetch(`${app.url}${path}`, { method: 'OPTIONS', headers });
      expect(response.status).toBe(204);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.get('access-control-allow-headers')).toBe('Authorization, *');
      expect(response.headers.get('access-control-allow-methods')).toContain('POST');
      expect(response.headers.has('access-control-allow-credentials')).toBe(false);
    },
  );

  test('browsers on other sites may read responses and errors', async () => {
    const replies = [await scene.chat(), await scene.chat({ n: -1 }), await send('GET', '/v1/models', 'nobody')];
    expect(replies.map(({ status }) => status)).toEqual([200, 400, 401]);
    for (const { headers } of replies) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')).toContain('x-request-id');
      expect(headers.get('x-request-id')).toBeTruthy();
      expect(headers.has('access-control-allow-credentials')).toBe(false);
    }
  });

  test('browsers on other sites may not read the console API', async () => {
    const response = await fetch(`${app.url}/api/status`, { headers: { origin: 'https://chat.example' } });
    expect(response.headers.has('access-control-allow-origin')).toBe(false);
    const preflight = await fetch(`${app.url}/api/status`, { method: 'OPTIONS' });
    expect(preflight.status).toBe(404);
  });
});

const families = [
  ...['files', 'fine_tuning/jobs', 'assistants', 'threads', 'conversations', 'batches'],
  ...['vector_stores', 'realtime', 'videos', 'evals', 'containers'],
];

test.each([
  ...['/v1/images/variations', '/v1/edits'].map((path) => ['POST', path]),
  ...families.flatMap((name) => ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, `/v1/${name}`])),
  ...families.map((name) => ['POST', `/v1/${name}/x/cancel?after=1`]),
  ...[
    ['PATCH', '/v1/responses/resp_1'],
    ['POST', '/v1/responses/input_tokens'],
    ['GET', '/v1/files/x/content'],
    ['DELETE', '/v1/files/x'],
    ['POST', '/v1/fine_tuning/jobs'],
    ['POST', '/v1/fine_tuning/jobs/x/cancel'],
    ['POST', '/v1/threads/x/runs/y/submit_tool_outputs'],
    ['DELETE', '/v1/models/gpt-4o'],
  ],
] as [string, string][])('returns 501 for %s %s', async (method, path) => {
  const response = await send(method, path);
  expect(response.status).toBe(501);
  const message = expect.stringContaining(`${method} ${path.split('?')[0]}. Chat requests go to /v1/chat/completions;`);
  expect(await response.json()).toMatchObject({
    error: { code: 'api_not_implemented', type: 'headgate_error', message },
  });
  expect((await send(method, path, 'nobody')).status).toBe(401);
});

test.each([
  ['/v1/realtime returns 501', '/v1/realtime?model=gpt-realtime', 501],
  ['/v1/responses returns 426, so that the client switches to HTTP', '/v1/responses', 426],
])('a WebSocket request for %s', async (_, path, status) => {
  const request = get(`${app.url}${path}`, {
    headers: {
      authorization: `Bearer sk-${scene.token.key}`,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    },
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(status);
});

describe('request body encodings', () => {
  const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] });
  const post = (bytes: Uint8Array<ArrayBuffer>, encoding: string) => {
    const headers = { authorization: `Bearer sk-${scene.token.key}`, 'content-encoding': encoding };
    return fetch(`${app.url}/v1/chat/completions`, { method: 'POST', headers, body: bytes });
  };
  const bomb = () => new Uint8Array(gzipSync(Buffer.alloc(65 * 1024 * 1024, ' ')));

  test.each([
    ['accepts gzip', 'gzip', () => new Uint8Array(gzipSync(body)), 200],
    ['accepts x-gzip', 'X-GZIP', () => new Uint8Array(gzipSync(body)), 200],
    ['accepts an uncompressed body', 'identity', () => new Uint8Array(Buffer.from(body)), 200],
    ['rejects invalid gzip', 'gzip', () => new Uint8Array(Buffer.from(body)), 400],
    ['rejects truncated gzip', 'gzip', () => new Uint8Array(gzipSync(body).subarray(0, 30)), 400],
    ['rejects a gzip bomb', 'gzip', bomb, 413],
    ['rejects another encoding', 'br', () => new Uint8Array(Buffer.from(body)), 415],
  ])('body encoding: %s', async (_, encoding, bytes, status) => {
    const response = await post(bytes(), encoding);
    expect(response.status).toBe(status);
    if (status !== 200) expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
    else expect(JSON.parse(scene.upstreams[0]?.received.at(-1)?.text ?? '')).toEqual(JSON.parse(body));
    expect(scene.upstreams[0]?.received.at(-1)?.headers['content-encoding']).toBeUndefined();
  });
});

test('[A24.8] rejects an unknown key before reading the body', async () => {
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(Buffer.alloc(64 * 1024)) });
  const request = { headers: { authorization: 'Bearer sk-nobody' }, body: endless, duplex: 'half' } as RequestInit;
  const response = await fetch(`${app.url}/v1/chat/completions`, { method: 'POST', ...request });
  expect(response.status).toBe(401);
});

test('[A24.6] rejects messages nested 100,000 levels deep without a charge', async () => {
  const messages = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const response = await limited.post('/v1/chat/completions', `{"model":"gpt-4o","messages":${messages}}`);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('nested too deeply');
  const { user, drift } = await limited.books();
  expect(user.used_quota % plainPrice).toBe(0);
  expect(drift).toBe(0);
});
