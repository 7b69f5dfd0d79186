import { once } from 'node:events';
import { connect } from 'node:net';
import { StubUpstream, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

/** Responds to every request with a page and with headers that affect browsers. */
const hostile: UpstreamHandler = (response, { path }) => {
  const type = path.includes('chat') ? 'application/json' : 'text/html';
  response.writeHead(path.endsWith('/fails') ? 500 : path.endsWith('/moved') ? 302 : 200, {
    'content-type': type,
    'content-security-policy': "script-src 'unsafe-inline'",
    'clear-site-data': '"*"',
    'service-worker-allowed': '/',
    'x-content-type-options': 'sniff',
    location: '/console',
    refresh: '0; url=/console',
  });
  response.end(
    type === 'text/html'
      ? '<script>alert(1)</script>'
      : JSON.stringify({ choices: [{ message: { role: 'assistant', content: '<script>' }, finish_reason: 'stop' }] }),
  );
};

const scene = await relayFixture(app, {
  upstreams: [hostile],
  channel: { models: 'gpt-4o,whisper-1,tts-1,text-embedding-3-small' },
});
const upstream = await StubUpstream.start(hostile);
afterAll(() => Promise.all([scene.close(), upstream.close()]));
await createChannel(scene.admin, scene.group, upstream.url, { type: 43, key: 'Basic their-secret', models: '' });
const { id } = await app.database.selectFrom('channels').select('id').where('type', '=', 43).executeTakeFirstOrThrow();

const call = (method: string, path: string, body?: string | FormData, headers: Record<string, string> = {}) =>
  fetch(`${app.url}${path}`, {
    method,
    headers: { authorization: `Bearer sk-${scene.token.key}`, ...headers },
    redirect: 'manual',
    ...(body !== undefined && { body }),
  });

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  call('POST', path, JSON.stringify(body), { 'content-type': 'application/json', ...headers });

function audio(): FormData {
  const form = new FormData();
  form.set('model', 'whisper-1');
  form.set('file', new File(['sound'], 'a.mp3'));
  return form;
}

const question = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] };

const replies: Readonly<Record<string, [status: number, ask: () => Promise<Response>]>> = {
  'a response': [200, () => post('/v1/chat/completions', question)],
  'a stream': [200, () => post('/v1/chat/completions', { ...question, stream: true })],
  'an Anthropic response': [200, () => post('/v1/messages', { ...question, max_tokens: 9 })],
  'an Ollama response': [200, () => post('/api/chat', { ...question, stream: false })],
  'a transcript': [200, () => call('POST', '/v1/audio/transcriptions', audio())],
  speech: [200, () => post('/v1/audio/speech', { model: 'tts-1', input: 'hi', voice: 'alloy' })],
  'a proxied response': [200, () => call('GET', `/v1/proxy/${id}/page`)],
  'a proxied response through the alias path': [200, () => call('GET', `/v1/oneapi/proxy/${id}/page`)],
  'a proxied redirect': [302, () => call('GET', `/v1/proxy/${id}/moved`)],
  'a proxied error': [500, () => call('GET', `/v1/proxy/${id}/fails`)],
  'a model list': [200, () => call('GET', '/v1/models')],
  'a model list in Gemini’s dialect': [200, () => call('GET', '/v1beta/models')],
  'a model list in Ollama’s dialect': [200, () => call('GET', '/api/tags')],
  'a billing report': [200, () => call('GET', '/v1/dashboard/billing/usage')],
  'an upstream error': [502, () => post('/v1/embeddings', { model: 'text-embedding-3-small', input: 'hi' })],
  'an unknown response': [404, () => call('GET', '/v1/responses/resp_unknown')],
  'an unknown token': [401, () => post('/v1/chat/completions', question, { authorization: 'Bearer sk-unknown' })],
  'a malformed body': [400, () => call('POST', '/v1/chat/completions', '{', { 'content-type': 'application/json' })],
  'an endpoint that is not served': [501, () => call('GET', '/v1/files')],
  'an unknown path': [404, () => call('GET', '/v1/nothing')],
  'an unknown method': [404, () => call('PUT', '/v1/chat/completions', '{}')],
  'a preflight request': [204, () => call('OPTIONS', '/v1/chat/completions')],
  'a rejected navigation': [403, () => call('GET', '/v1/models', undefined, { 'sec-fetch-dest': 'document' })],
};

describe.each(Object.entries(replies))('response: %s', (_, [status, send]) => {
  test('[A63.4 A63.9] the response has headers that keep browsers from executing it, and no upstream header', async () => {
    const { headers, status: got } = await send();
    expect(got).toBe(status);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    expect(headers.get('content-type') ?? '').not.toMatch(/html/);
    for (const name of ['clear-site-data', 'service-worker-allowed', 'location', 'refresh'])
      expect(headers.get(name)).toBeNull();
  });
});

test.each(['a transcript', 'speech', 'a proxied response', 'a proxied error'])(
  '[A63.4] %s with an executable content type is sent as a download',
  async (name) => {
    const { headers } = (await replies[name]?.[1]()) ?? new Response();
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toBe('attachment');
  },
);

test.each([
  ['invalid HTTP', 'GET /v1/models HTTP/9\r\n\r\n', 400],
  ['headers that are too large', `GET /v1/models HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
])('[A63.4] the response to %s cannot be executed by a browser', async (_, bytes, status) => {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.write(bytes);
  await once(socket, 'close');
  expect(text).toContain(`HTTP/1.1 ${status} `);
  expect(text).toContain("content-security-policy: sandbox; default-src 'none'\r\n");
  expect(text).toContain('x-content-type-options: nosniff\r\n');
});

const endpoints: Readonly<Record<string, (headers: Record<string, string>) => Promise<Response>>> = {
  'the relay': (headers) => post('/v1/chat/completions', question, headers),
  'the proxy': (headers) => post(`/v1/proxy/${id}/page`, {}, headers),
  'the model list': (headers) => call('GET', '/v1/models', undefined, headers),
};

describe.each(Object.entries(endpoints))('browser requests to %s', (name, send) => {
  test.each(['document', 'iframe', 'serviceworker', 'script'])(
    '[A63.5] rejects the fetch destination %s',
    async (to) => {
      const before = upstream.received.length;
      const response = await send({ 'sec-fetch-dest': to, 'sec-fetch-site': 'cross-site' });
      expect(response.status).toBe(403);
      expect(await response.json()).toMatchObject({ error: { code: 'browser_navigation' } });
      expect(upstream.received).toHaveLength(before);
    },
  );

  test.skipIf(name === 'the model list')('[A63.6] rejects a form from another site', async () => {
    const form = { 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' };
    const response = await send(form);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { code: 'cross_site_form' } });
  });

  test('serves a fetch from a page on another site', async () => {
    const response = await send({
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'cors',
      'sec-fetch-dest': 'empty',
      origin: 'https://app.example',
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });
});
