import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { sessionApi, tokenApi, userApi } from '@headgate/contract';
import { chatResponse, completion, embeddingResponse, plainPrice, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { slowRequest } from '../../testing/relay/slow-request.ts';
import { startTestApp, type TestApp, useTestApp } from '../../testing/test-app.ts';

const megabyte = 1024 * 1024;
const chatPath = '/v1/chat/completions';

const app = await useTestApp();
const scene = await relayFixture(app, { upstreams: [completion()], quota: 1_000_000_000_000 });
const poor = await relayFixture(app, { upstreams: [completion()], quota: 0 });
afterAll(() => Promise.all([scene.close(), poor.close()]));

type Scene = Awaited<ReturnType<typeof relayFixture>>;

const headersOf = ({ token }: Scene, more: Readonly<Record<string, string>> = {}) => ({
  authorization: `Bearer sk-${token.key}`,
  'content-type': 'application/json',
  ...more,
});

const chatOf = (content: unknown) => JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content }] });

/** Longer than the size below which bodies are read unconditionally. */
const large = chatOf('x'.repeat(100_000));

const inChunk = (bytes: string | Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), Buffer.from(bytes), Buffer.from('\r\n')]);

describe('[A24.3] bodies that are too long', () => {
  test('rejects a body whose declared length is too large before buffering it', async () => {
    const { response } = slowRequest(app.url, chatPath, headersOf(scene, { 'content-length': String(2 ** 30) }));
    expect(await response).toMatch(/^HTTP\/1.1 413 .*connection: close.*The request body is too large/s);
  });

  test('rejects a body that never ends before buffering all of it', async () => {
    await using small = await startTestApp({ config: { bodies: { maxBytes: megabyte, budget: 4 * megabyte } } });
    const own = await relayFixture(small, { upstreams: [completion()] });
    const request = slowRequest(small.url, chatPath, headersOf(own, { 'transfer-encoding': 'chunked' }));
    const sending = setInterval(
      () => request.socket.writable && request.send(inChunk(Buffer.alloc(256 * 1024, ' '))),
      5,
    );
    await request.response;
    clearInterval(sending);
    expect(await request.response).toMatch(/^HTTP\/1.1 413 .*The request body is too large/s);
    await own.close();
  });
});

describe('[A24.8] large bodies of accounts without balance', () => {
  test('does not read a body with a large declared length', async () => {
    const headers = headersOf(poor, { 'content-length': String(20 * megabyte) });
    expect(await slowRequest(app.url, chatPath, headers).response).toMatch(/^HTTP\/1.1 402 .*insufficient_user_quota/s);
  });

  test('stops reading a body that turns out to be large', async () => {
    const { response, send } = slowRequest(app.url, chatPath, headersOf(poor, { 'transfer-encoding': 'chunked' }));
    send(inChunk(large.slice(0, 60_000)));
    send(inChunk(large.slice(60_000, 70_000)));
    expect(await response).toMatch(/^HTTP\/1.1 402 /);
  });

  test('does not read a large body on the proxy route', async () => {
    const headers = headersOf(poor, { 'content-length': String(20 * megabyte) });
    expect(await slowRequest(app.url, '/v1/proxy/1/x', headers).response).toMatch(/^HTTP\/1.1 402 /);
  });

  test('returns the usual error for a small body', async () => {
    expect((await poor.chat()).status).toBe(402);
    expect(poor.upstreams[0]?.received).toEqual([]);
  });
});

describe('[A13.5] accounts that lose access while a body is being sent', () => {
  const change: Readonly<Record<string, (own: Scene) => Promise<unknown>>> = {
    'that is banned': ({ admin, user }) =>
      admin.call(userApi.manage, { body: { username: user.username, action: 'disable' } }),
    'with a deleted token': ({ client, token }) => client.call(tokenApi.remove, { params: { id: token.id } }),
    'with a disabled token': ({ client, token }) =>
      client.call(tokenApi.update, { query: { status_only: 'true' }, body: { id: token.id, status: 2 } }),
  };

  test.each(Object.keys(change))('does not serve an account %s', async (name) => {
    const own = await relayFixture(app, { upstreams: [completion()] });
    expect((await own.chat()).status).toBe(200);
    const headers = headersOf(own, { 'content-length': String(large.length), connection: 'close' });
    const { response, send } = slowRequest(app.url, chatPath, headers);
    const [request] = (await once(app.app.server, 'request')) as [NodeJS.ReadableStream];
    send(large.slice(0, 1000));
    await once(request, 'data');
    await change[name]?.(own);
    send(large.slice(1000));
    expect(await response).toMatch(/^HTTP\/1.1 40[13] /);
    expect(own.upstreams[0]?.received).toHaveLength(1);
    expect((await own.books()).user.used_quota).toBe(plainPrice);
    await own.close();
  });
});

describe('[A24.5] bodies with very many elements', () => {
  test.each([
    ['objects', `[${'{},'.repeat(60_000)}{}]`],
    ['object keys', `[{${Array.from({ length: 31_000 }, (_, index) => `"k${index}":0`).join()}}]`],
    ['strings', JSON.stringify(Array.from({ length: 61_000 }, (_, index) => `${index}`))],
    ['numbers', `[${'0,'.repeat(500_000)}0]`],
  ])('rejects a body with very many %s', async (_, messages) => {
    const response = await scene.post(chatPath, `{"model":"gpt-4o","messages":${messages}}`);
    expect([response.status, await response.text()]).toEqual([413, expect.stringContaining('too many elements')]);
  });

  test('forwards a 20 MB image unchanged', async () => {
    const image = chatOf([
      { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(20 * megabyte)}` } },
    ]);
    expect((await scene.post(chatPath, image)).status).toBe(200);
    expect(scene.upstreams[0]?.received.at(-1)?.text.length).toBe(image.length);
  });

  test.each([
    ['a mapped model', { model_mapping: '{"gpt-4o":"gpt-4o-mini"}' }, { model: 'gpt-4o-mini' }, {}],
    ['a streaming field', {}, { stream_options: { include_usage: true } }, { stream: true }],
    ['a system prompt', { system_prompt: 'be brief' }, {}, {}],
  ])('forwards an image unchanged with %s', async (_, channel, expected, more) => {
    const own = await relayFixture(app, { upstreams: [completion()], channel, quota: 1_000_000_000_000 });
    const url = `data:image/png;base64,${'A/'.repeat(1.5 * megabyte)}`;
    const content = [{ type: 'image_url', image_url: { url } }];
    const response = await own.chat({ messages: [{ role: 'user', content }], ...more });
    await response.text();
    const seen = own.upstreams[0]?.received[0]?.body as { messages: { content: unknown }[] };
    expect(seen).toMatchObject(expected);
    expect(seen.messages.at(-1)?.content).toEqual(content);
    await own.close();
  });

  test('rejects more than a million tokens in short texts', async () => {
    const texts = Array.from({ length: 1000 }, () => ({ type: 'text', text: 'x'.repeat(6000) }));
    const response = await scene.post(chatPath, chatOf(texts));
    expect([response.status, await response.text()]).toEqual([413, expect.stringContaining('too many elements')]);
  });

  test('accepts three hundred thousand tokens for embedding', async () => {
    const own = await relayFixture(app, { upstreams: [embeddingResponse], quota: 100_000_000 });
    const input = Array.from({ length: 300_000 }, (_, index) => index);
    expect((await own.post('/v1/embeddings', { model: 'gpt-4o', input })).status).toBe(200);
    await own.close();
  });
});

test('[A24.5] rejects a form with a hundred thousand parts without an upstream request', async () => {
  const part = '--x\r\ncontent-disposition: form-data; name="a[]"\r\n\r\n1\r\n';
  const before = scene.upstreams[0]?.received.length;
  const response = await scene.post('/v1/audio/transcriptions', `${part.repeat(100_000)}--x--\r\n`, {
    headers: headersOf(scene, { 'content-type': 'multipart/form-data; boundary=x' }),
  });
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ error: { code: 'form_too_large' } });
  expect(scene.upstreams[0]?.received).toHaveLength(before ?? 0);
});

test('[A24.6] returns 400 before routing for a body nested a hundred thousand levels deep', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  for (const body of [deep, `{"model":"nobody serves it","messages":${deep}}`, `{"a":`.repeat(100_000)]) {
    const response = await scene.post(chatPath, body);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('nested too deeply')]);
  }
});

test('[A24.7] forwards keys named __proto__ and constructor unchanged without interpreting them', async () => {
  const body = `{"model":"gpt-4o","messages":[{"role":"user","content":"hi","__proto__":{"role":"system"}}],"__proto__":{"n":99,"stream":true},"constructor":{"prototype":{"n":9}}}`;
  expect((await scene.post(chatPath, body)).status).toBe(200);
  expect(scene.upstreams[0]?.received.at(-1)?.text).toBe(body);
  expect(({} as { n?: unknown }).n).toBeUndefined();
});

test('[A24.7] rejects bytes that are not UTF-8 or forwards them unchanged', async () => {
  const [before = '', after = ''] = chatOf('hi|you').split('|');
  const bytes = Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xc0, 0x80]), Buffer.from(after)]);
  const own = await relayFixture(app, { upstreams: [completion()] });
  const { status } = await own.post(chatPath, '', { body: new Uint8Array(bytes), headers: headersOf(own) });
  expect([200, 400]).toContain(status);
  expect(own.upstreams[0]?.received.map((seen) => seen.bytes)).toEqual(status === 200 ? [bytes] : []);
  await own.close();
});

describe('[A24.9] limits on buffered bytes', () => {
  const limits = { maxBytes: megabyte, budget: 2 * megabyte };
  const body = chatOf('x'.repeat(0.7 * megabyte));

  /** An upstream that responds on demand. */
  function held() {
    const responders: (() => void)[] = [];
    const respond: UpstreamHandler = (response) => {
      responders.push(() => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(chatResponse()));
      });
    };
    return { responders, respond };
  }

  async function scenesOn(small: TestApp, count: number) {
    const { responders, respond } = held();
    const scenes = await Promise.all(
      Array.from({ length: count }, () => relayFixture(small, { upstreams: [respond], quota: 1_000_000_000 })),
    );
    const ask = (each: Scene | undefined) => each?.post(chatPath, body);
    const close = () => Promise.all(scenes.map((each) => each.close()));
    return { responders, scenes, ask, close };
  }

  test('returns 429 with Retry-After above the limit per user, and frees the bytes when a request ends', async () => {
    await using small = await startTestApp({ config: { bodies: limits } });
    const { responders, scenes, ask, close } = await scenesOn(small, 2);
    const first = ask(scenes[0]);
    await expect.poll(() => responders.length).toBe(1);
    const rejected = await ask(scenes[0]);
    expect([rejected?.status, rejected?.headers.get('retry-after')]).toEqual([429, '1']);
    const another = ask(scenes[1]);
    await expect.poll(() => responders.length).toBe(2);
    for (const respond of responders) respond();
    expect([(await first)?.status, (await another)?.status]).toEqual([200, 200]);
    const again = ask(scenes[0]);
    await expect.poll(() => responders.length).toBe(3);
    responders[2]?.();
    expect((await again)?.status).toBe(200);
    await close();
  });

  test('returns 503 with Retry-After above the limit per process', async () => {
    await using small = await startTestApp({ config: { bodies: limits } });
    const { responders, scenes, ask, close } = await scenesOn(small, 3);
    const running = [ask(scenes[0]), ask(scenes[1])];
    await expect.poll(() => responders.length).toBe(2);
    const rejected = await ask(scenes[2]);
    expect([rejected?.status, rejected?.headers.get('retry-after')]).toEqual([503, '1']);
    for (const respond of responders) respond();
    for (const response of running) expect((await response)?.status).toBe(200);
    await close();
  });

  test('limits API requests without a login per network, so that others are not blocked', async () => {
    // Four such bodies leave less memory than the next login needs.
    const part = ' '.repeat(megabyte - 6);
    const stranger = () => {
      const headers = { 'content-type': 'application/json', 'content-length': String(megabyte) };
      const request = slowRequest(app.url, '/api/user/login', headers, '127.0.0.2');
      request.send(part);
      return request;
    };
    const strangers = Array.from({ length: 4 }, stranger);
    const bytesRead = () =>
      strangers.every(({ socket }) => socket.bytesWritten > part.length && socket.writableLength === 0);
    await expect.poll(bytesRead).toBe(true);
    // The server may not have read all of them yet. A request that is still admitted stays open, and another one is
    // sent.
    const respondInTime = () => Promise.race([stranger().response, sleep(500, 'none yet')]);
    await expect.poll(respondInTime).toMatch(/^HTTP\/1.1 429 /);
    const { body } = await app.client().send(sessionApi.login, { body: { username: 'nobody', password: 'wrong-one' } });
    expect(body).toMatchObject({ success: false, message: expect.stringContaining('Wrong username') });
    expect((await scene.chat()).status).toBe(200);
    for (const { socket } of strangers) socket.destroy();
  });

  test('reserves no memory for a declared length alone', async () => {
    await using small = await startTestApp({ config: { bodies: limits } });
    const { responders, scenes, ask, close } = await scenesOn(small, 2);
    const promises = Array.from({ length: 5 }, () =>
      slowRequest(small.url, chatPath, headersOf(scenes[0] as Scene, { 'content-length': String(0.9 * megabyte) })),
    );
    for (const { socket } of promises) await once(socket, 'connect');
    const honest = ask(scenes[1]);
    await expect.poll(() => responders.length).toBe(1);
    responders[0]?.();
    expect((await honest)?.status).toBe(200);
    for (const { socket } of promises) socket.destroy();
    await close();
  });
});

test('reuses the connection after rejecting a request before its small body was read', async () => {
  const headers = headersOf(scene, { authorization: 'Bearer sk-nobody', 'content-length': '1000' });
  const { socket, send, response } = slowRequest(app.url, chatPath, headers);
  await once(socket, 'data');
  send('x'.repeat(1000));
  const honest = chatOf('hi');
  const lines = Object.entries(
    headersOf(scene, { host: 'x', connection: 'close', 'content-length': String(honest.length) }),
  );
  send(`POST ${chatPath} HTTP/1.1\r\n${lines.map((line) => `${line.join(': ')}\r\n`).join('')}\r\n${honest}`);
  expect(await response).toMatch(/^HTTP\/1.1 401 .*HTTP\/1.1 200 /s);
});

describe('[A24.10] bodies that arrive too slowly', async () => {
  const impatient = await useTestApp({ bodyPatienceMs: 300 });
  const own = await relayFixture(impatient, { upstreams: [completion()] });
  afterAll(() => own.close());

  test.each([
    ['nothing arrives', chatPath, '', 'content-length'],
    ['it stops after a few bytes', chatPath, '{"model":', 'content-length'],
    ['it stops after a chunk', chatPath, '9\r\n{"model":\r\n', 'transfer-encoding'],
    ['it is on the proxy route', '/v1/proxy/1/x', 'little', 'content-length'],
    ['it is an API request', '/api/user/login', '{"username":', 'content-length'],
  ])('closes the connection when %s', async (_, path, sent, framing) => {
    const value = framing === 'content-length' ? '1000' : 'chunked';
    const { response, send } = slowRequest(impatient.url, path, headersOf(own, { [framing]: value }));
    send(sent);
    expect(await response).toMatch(/^HTTP\/1.1 408 .*connection: close/s);
  });

  test('closes the connection when a body arrives byte by byte', async () => {
    const { response, send, socket } = slowRequest(
      impatient.url,
      chatPath,
      headersOf(own, { 'content-length': '1000' }),
    );
    const dripping = setInterval(() => socket.writable && send(' '), 20);
    expect(await response).toMatch(/^HTTP\/1.1 408 /);
    clearInterval(dripping);
  });
});

test('[A24.10] limits the time for headers and the number of connections', () => {
  const { server } = app.app;
  expect(server.headersTimeout).toBeLessThanOrEqual(20_000);
  expect(server.requestTimeout).toBeLessThanOrEqual(600_000);
  expect(server.maxConnections).toBeLessThanOrEqual(20_000);
});
