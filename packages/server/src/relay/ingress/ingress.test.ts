import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { completion, reply, stream, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { parseStatus, rawBytes, rawHead } from '../../testing/relay/raw-bytes.ts';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';
import { HttpClientSink } from '../clients/http-client-sink.ts';

const app = await useTestApp({ options: { RetryTimes: '0' } });

type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

async function sceneWith(respond: UpstreamHandler, channel: Readonly<Record<string, unknown>> = {}): Promise<Scene> {
  const scene = await relayFixture(app, { upstreams: [respond], channel });
  scenes.push(scene);
  return scene;
}

const honest = await sceneWith(completion());

async function expectServed(): Promise<void> {
  expect((await honest.chat()).status).toBe(200);
}

describe('[A24.1] malformed addresses', () => {
  const bearer = `Authorization: Bearer sk-${honest.token.key}`;
  const addresses = [
    ...['/v1/engines/%zz/embeddings', '/v1/engines/%/embeddings', '/v1/engines/%c0%ae/embeddings?x=%zz'],
    ...['/v1/engines/%E0%A4%A/embeddings/', '/v1/%zz', '/v1/models/%zz', '/v1/files/%zz', '/v1/proxy/%zz/%zz'],
    ...['/v1/models/a;%zz', '/v1/proxy/1;%zz/x', '//v1/chat/completions', '//v1//models', '/v1//chat/completions'],
    ...['http://x//v1/models', 'http://x/v1/engines/%zz/embeddings', '/api/user/%zz', '/api/%', '/api/user/1;%zz'],
    ...['/v1/chat/completions%00', '/v1/chat/completions/..', '/v1/../v1/nothing', '/v1/nothing#%zz', '/v1/\xff\xfe'],
    ...['/v1/nothing/%u0041', '/v1/models/%00', `/v1/${'a/'.repeat(4000)}`, `/v1/models/${'%41'.repeat(4000)}%4`],
  ];

  test.each(addresses)('returns 400 or 404 for %s and serves the next client', async (address) => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      const received = await rawBytes(app.url, rawHead(`${method} ${address}`, [bearer, 'Content-Length: 0']));
      expect([400, 401, 404, 501], `${method} ${received.slice(0, 300)}`).toContain(parseStatus(received));
      expect(received).toMatch(/content-type: application\/json/i);
    }
    await expectServed();
  });

  test('returns an error in the format of the endpoint', async () => {
    const received = await rawBytes(app.url, rawHead('POST /v1/engines/%zz/embeddings', [bearer, 'Content-Length: 0']));
    expect(parseStatus(received)).toBe(404);
    const { error } = JSON.parse(received.slice(received.indexOf('\r\n\r\n')));
    expect(error).toMatchObject({ type: 'invalid_request_error', message: expect.stringContaining('/v1/engines/') });
  });

  test('serves a URL in absolute form, as sent to a proxy, by its path', async () => {
    const received = await rawBytes(app.url, rawHead('GET http://elsewhere.test/v1/models', [bearer]));
    expect(parseStatus(received)).toBe(200);
    const body = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] });
    const head = rawHead('POST http://elsewhere.test/v1/chat/completions', [bearer, `Content-Length: ${body.length}`]);
    expect(parseStatus(await rawBytes(app.url, head + body))).toBe(200);
  });

  test.each(['OPTIONS *', 'PROPFIND /v1/models', 'TRACE /v1/models', 'QUERY /v1/chat/completions', 'GET *'])(
    'responds to %s',
    async (line) => {
      expect(parseStatus(await rawBytes(app.url, rawHead(line, [bearer])))).toBeGreaterThanOrEqual(200);
      await expectServed();
    },
  );

  test.each([
    ['an unknown method', 'FROB /v1/models HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a CONNECT tunnel', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['two Host headers', 'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n'],
    ['a request without a Host header', 'GET /v1/models HTTP/1.0\r\n\r\n'],
    ['an unsupported expectation', rawHead('POST /v1/chat/completions', ['Expect: magic', 'Content-Length: 1'])],
    ['a WebSocket upgrade', rawHead('GET /v1/realtime', ['Upgrade: websocket']).replace('close', 'Upgrade')],
    ['another HTTP version', 'GET / HTTP/3.7\r\nHost: x\r\n\r\n'],
    ['a very large header', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`],
    ['two different content lengths', rawHead('POST /v1/embeddings', ['Content-Length: 3', 'Content-Length: 4'])],
    [
      'a content length with chunked encoding',
      rawHead('POST /v1/embeddings', ['Content-Length: 3', 'Transfer-Encoding: chunked']),
    ],
    ['a chunk without a length', `${rawHead('POST /v1/embeddings', [bearer, 'Transfer-Encoding: chunked'])}zz\r\n`],
  ])('responds to %s or closes the connection', async (_, bytes) => {
    if (bytes.includes('Upgrade')) void rawBytes(app.url, bytes);
    else await rawBytes(app.url, bytes);
    await expectServed();
  });
});

const odd = [14, 0, -1, 99, 100, 200, 399, 600, 700, 1e9, 404.5, '14', null];

describe('[A25.1] invalid HTTP statuses', () => {
  test.each(odd)('returns 502 for %s inside a 200 response', async (code) => {
    const body = { error: { code, message: 'unavailable', status: 'UNAVAILABLE' } };
    for (const type of [24, 8]) {
      const whole = await sceneWith(reply(body), { type });
      expect((await whole.chat()).status).toBe(502);
      const streamed = await sceneWith(stream([`data: ${JSON.stringify(body)}\n\n`]), { type });
      expect((await streamed.chat({ stream: true })).status).toBe(502);
    }
    await expectServed();
  });

  test.each([300, 302, 304, 399, 600, 700, 999])('returns 502 for the upstream status %s', async (status) => {
    const scene = await sceneWith(written(`HTTP/1.1 ${status} Odd\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`));
    for (const body of [{}, { stream: true }]) {
      const response = await scene.chat(body);
      expect(response.status).toBe(502);
      expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining(String(status)) } });
    }
    expect((await scene.books()).user.used_quota).toBe(0);
  });

  test('forwards 400 to 599', async () => {
    for (const status of [400, 418, 429, 599]) {
      expect((await (await sceneWith(reply({ error: { message: 'no' } }, status))).chat()).status).toBe(status);
    }
  });

  test('returns 502 for 700 on the proxy route and forwards 3xx', async () => {
    const { call, scene } = await proxyScene(written('HTTP/1.1 700 Odd\r\nContent-Length: 2\r\n\r\nok'));
    expect((await call('/x')).status).toBe(502);
    for (const upstream of scene.upstreams) upstream.handler = reply('', 304);
    expect((await call('/x')).status).toBe(304);
  });
});

const written =
  (bytes: string): UpstreamHandler =>
  ({ socket }) => {
    socket?.end(bytes, 'latin1');
  };

async function proxyScene(respond: UpstreamHandler) {
  const scene = await sceneWith(respond);
  const [upstream] = scene.upstreams;
  await createChannel(scene.admin, scene.group, upstream?.url ?? '', { type: 43, key: 'Basic theirs', models: '' });
  const { id } = await app.database
    .selectFrom('channels')
    .select('id')
    .where('type', '=', 43)
    .where('group', '=', scene.group)
    .executeTakeFirstOrThrow();
  const headers = { authorization: `Bearer sk-${scene.token.key}` };
  const call = (path: string) => fetch(`${app.url}/v1/proxy/${id}${path}`, { headers, redirect: 'manual' });
  return { scene, call };
}

describe('[A25.2] invalid upstream headers', () => {
  test('drops headers that Node would reject and keeps the others', async () => {
    const onFault = (error: unknown) => expect(error).toBeUndefined();
    const server = createServer((_, response) => {
      const client = new HttpClientSink(response, { requestId: 'one', onFault });
      client.start(1e9, {
        'x-good': 'yes',
        'x-note': '\u{4e2d}',
        'x-bell': 'a\x07b',
        'x-line': 'a\r\nb: c',
        'x y': '1',
        '': '2',
      });
      client.end(Buffer.from('ok'));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(response.status).toBe(502);
    expect([...response.headers.keys()].filter((name) => /^(x-(?!request|content)|b$)/.test(name))).toEqual(['x-good']);
    expect(await response.text()).toBe('ok');
    server.closeAllConnections();
    server.close();
  });

  test('forwards, drops or rejects headers with any byte in a name or value, and serves the next client', async () => {
    const { call, scene } = await proxyScene(reply('ok'));
    for (let byte = 0; byte < 256; byte += 1) {
      const odd = String.fromCharCode(byte);
      const bytes = `HTTP/1.1 200 OK\r\nX-Ratelimit-${odd}A: 1\r\nEtag: a${odd}b\r\nX-Total: 7\r\nContent-Length: 2\r\n\r\nok`;
      for (const upstream of scene.upstreams) upstream.handler = written(bytes);
      expect([200, 502], `byte ${byte}`).toContain((await call('/x')).status);
    }
    await expectServed();
  });

  test('forwards audio with an invalid content type', async () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: audio/\xe4\xb8\xad\r\n\r\nok';
    const scene = await sceneWith(written(head), { models: 'tts-1' });
    const response = await scene.post('/v1/audio/speech', { model: 'tts-1', input: 'hi', voice: 'alloy' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('ok');
  });
});
