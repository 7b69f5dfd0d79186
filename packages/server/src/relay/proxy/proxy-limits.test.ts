import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { tokenApi } from '@headgate/contract';
import { StubUpstream } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { rawRequest } from '../../testing/relay/raw-request.ts';
import { createChannel, type RelayFixtureOptions, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const upstream = await StubUpstream.start((response, { method, path }) => void response.end(`${method} ${path}`));
afterAll(() => upstream.close());

/** A proxy channel to this path of the upstream, and a user who may use it. */
async function proxyTo(base = '', options: Pick<RelayFixtureOptions, 'quota' | 'token'> = {}) {
  const scene = await relayFixture(app, options);
  await createChannel(scene.admin, scene.group, upstream.url + base, {
    type: 43,
    key: 'Basic their-secret',
    models: '',
  });
  const { id } = await app.database
    .selectFrom('channels')
    .select('id')
    .where('group', '=', scene.group)
    .executeTakeFirstOrThrow();
  const own = { authorization: `Bearer sk-${scene.token.key}` };
  const call = (rest: string, init: Parameters<typeof rawRequest>[2] = {}) =>
    rawRequest(app.url, `/v1/proxy/${id}${rest}`, { ...init, headers: { ...own, ...init.headers } });
  const post = (rest: string, body: unknown) =>
    call(rest, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
  return { ...scene, id, own, call, postTo: post };
}

const plain = await proxyTo('/api/v2');

describe("[A23.2] paths outside the channel's base URL", () => {
  test.each([
    '/..',
    '/../admin',
    '/../../etc',
    '/x/../../admin',
    '/./../admin',
    '/%2e%2e/admin',
    '/%2E%2E/admin',
    '/%2e./admin',
    '/.%2E/admin',
    '/..%2fadmin',
    '/..%2Fadmin',
    '/x%2f..%2f..%2fadmin',
    '/%252e%252e/admin',
    '/%25252e%25252e%25252fadmin',
    '/..;/admin',
    '/..;x=1/admin',
    '/..%3b/admin',
    '/..%20/admin',
    '/..\\admin',
    '/..%5cadmin',
    '/x%5C..%5Cadmin',
    '/x\\y',
    '//other.example/x',
    '//user@other.example/x',
    '/%c0%ae%c0%ae/admin',
    '/%zz',
    '/x%00y',
    '/x%0d%0aHost:%20other.example',
    '/x%09y',
    '/x#y',
    '/..%3fx/admin',
    '/..%23/admin',
    '/%2e%2e%253fx/admin',
  ])('rejects %s', async (rest) => {
    const before = upstream.received.length;
    const { status, text } = await plain.call(rest);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'invalid_path', type: 'invalid_request_error' } });
    expect(upstream.received).toHaveLength(before);
  });

  test.each([
    'GET http://other.example/v1/proxy/ID/x',
    'GET http://other.example/x',
    'GET @other.example/v1/proxy/ID/x',
  ])('does not reach another URL with %s', async (line) => {
    const before = upstream.received.length;
    await sendLine(`${line.replace('ID', String(plain.id))} HTTP/1.1`);
    for (const { path, headers } of upstream.received.slice(before)) {
      expect(path).toBe('/api/v2/x');
      expect(headers.host).toBe(new URL(upstream.url).host);
    }
  });

  test.each([
    ['/users/@me', '/api/v2/users/@me'],
    ['/projects/group%2Fname', '/api/v2/projects/group%2Fname'],
    ['/.hidden/..x/x..', '/api/v2/.hidden/..x/x..'],
    ['/a//b;c=1', '/api/v2/a//b;c=1'],
    ['/%E4%BD%A0?q=../..&r=%2e%2e', '/api/v2/%E4%BD%A0?q=../..&r=%2e%2e'],
  ])('forwards %s', async (rest, path) => {
    expect(await plain.call(rest)).toMatchObject({ status: 200, text: `GET ${path}` });
  });
});

/** Sends a raw request line that no client would send. */
const sendLine = (line: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    const head = ['host: x', `authorization: ${plain.own.authorization}`, 'connection: close'];
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('end', () => resolve(received)).on('error', reject);
    socket.write(`${[line, ...head].join('\r\n')}\r\n\r\n`);
  });

describe('[A22.2] session data of the client', () => {
  test('session data of the client is not forwarded in headers', async () => {
    const token = `sk-${plain.token.key}`;
    const kept = {
      cookie: 'session=secret',
      'x-api-key': token,
      'api-key': token,
      'x-goog-api-key': token,
      'x-auth-token': token,
      'x-wrapped': `Token ${plain.token.key}!`,
      forwarded: 'for=1.2.3.4',
      via: '1.1 x',
      'x-forwarded-for': '1.2.3.4',
      'x-forwarded-anything': 'x',
      'x-real-ip': '1.2.3.4',
      'cf-connecting-ip': '1.2.3.4',
      'cf-ray': 'x',
      'true-client-ip': '1.2.3.4',
      'proxy-authorization': 'Basic x',
      te: 'trailers',
      'x-of-this-hop': '1',
    };
    const headers = { ...kept, connection: 'close, X-Of-This-Hop', 'x-own': '1', 'anthropic-version': '2023-06-01' };
    expect((await plain.call('/x', { headers })).status).toBe(200);
    const seen = upstream.received.at(-1)?.headers ?? {};
    expect(seen).toMatchObject({
      authorization: 'Basic their-secret',
      'x-own': '1',
      'anthropic-version': '2023-06-01',
    });
    expect(Object.keys(kept).filter((name) => name in seen)).toEqual([]);
    expect(JSON.stringify(seen)).not.toContain(plain.token.key);
  });

  test('session data of the client is not forwarded in the query', async () => {
    const { key } = plain.token;
    const other = 'a'.repeat(48);
    const query = `?key=sk-${key}&a=1&key=theirs&token=${key}&k%65y=sk-${other}&b=Bearer+sk-${key}-1&c=%2F`;
    await plain.call(`/x${query}`);
    expect(upstream.received.at(-1)?.path).toBe('/api/v2/x?a=1&key=theirs&c=%2F');
    await plain.call(`/x?key=sk-${key}`);
    expect(upstream.received.at(-1)?.path).toBe('/api/v2/x');
  });
});

describe('[A15.6] tokens with a model list', async () => {
  const listed = await proxyTo('', { token: { models: 'gpt-4o,gpt-4o-mini' } });
  const body = { model: 'gpt-4o', messages: [] };

  test.each(['/v1/chat/completions', '/chat/completions', '/v1/messages', '/v1/embeddings'])(
    'tokens with a model list may use their models at %s',
    async (path) => {
      expect((await listed.postTo(path, body)).status).toBe(200);
      expect(upstream.received.at(-1)?.body).toEqual(body);
    },
  );

  test('forwards a single model even if the body names it twice', async () => {
    await listed.postTo('/v1/chat/completions', '{"model":"gpt-4","messages":[],"model":"gpt-4o"}');
    expect(upstream.received.at(-1)?.text).toBe('{"model":"gpt-4o","messages":[]}');
  });

  test.each<[string, unknown]>([
    ['/v1/chat/completions', { ...body, model: 'gpt-4' }],
    ['/v1/chat/completions', { ...body, model: 'GPT-4o' }],
    ['/v1/chat/completions', { ...body, model: ['gpt-4o'] }],
    ['/v1/chat/completions', { ...body, Model: 'gpt-4' }],
    ['/v1/chat/completions', { messages: [] }],
    ['/v1/chat/completions', [body]],
    ['/v1/chat/completions', 'model=gpt-4o'],
    ['/v1/chat/completions', { ...body, models: ['gpt-4'] }],
    ['/v1/chat/completions', { ...body, fallbacks: ['gpt-4'] }],
    ['/v1/chat/completions?model=gpt-4', body],
    ['/v1/chat/completions?m%6fdel=gpt-4', body],
    ['/v1/models/gpt-4:generateContent', body],
    ['/openai/deployments/gpt-4/chat/completions', body],
    ['/models/gpt-4/v1/chat/completions', body],
    ['/anything', body],
  ])('tokens with a model list are rejected at %s with %j', async (path, sent) => {
    const before = upstream.received.length;
    const { status, text } = await listed.postTo(path, sent);
    expect(status).toBe(403);
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'model_not_allowed' } });
    expect(upstream.received).toHaveLength(before);
  });

  test('forwards JSON with a JSON content type, because as a form it could name another model', async () => {
    const text = JSON.stringify({ ...body, user: '&model=gpt-4&' });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    await listed.call('/v1/chat/completions', { method: 'POST', headers, body: text });
    expect(upstream.received.at(-1)).toMatchObject({ text, headers: { 'content-type': 'application/json' } });
  });

  test.each([
    ['has too many elements', `{"model":"gpt-4o","x":[${'{},'.repeat(200_000)}{}]}`, 413],
    ['is nested too deeply', `{"model":"gpt-4o","x":${'['.repeat(100_000)}`, 400],
  ])('tokens with a model list are rejected without parsing a body that %s', async (_, sent, status) => {
    const before = upstream.received.length;
    expect((await listed.postTo('/v1/chat/completions', sent)).status).toBe(status);
    expect(upstream.received).toHaveLength(before);
  });

  test('tokens with a model list are rejected for requests without a model in the body', async () => {
    for (const method of ['GET', 'DELETE']) expect((await listed.call('/v1/files', { method })).status).toBe(403);
  });
});

test('[A25.4] forwards the content encoding of a compressed response that was not requested', async () => {
  const coded = await proxyTo();
  const usual = upstream.handler;
  upstream.handler = (response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(gzipSync('hello'));
  };
  const response = await fetch(`${app.url}/v1/proxy/${coded.id}/x`, { headers: coded.own });
  upstream.handler = usual;
  expect(await response.text()).toBe('hello');
});

test('[A25.4] does not forward a compressed error, because a key in it could not be masked', async () => {
  const coded = await proxyTo();
  const usual = upstream.handler;
  upstream.handler = (response) => {
    response.writeHead(401, { 'content-encoding': 'gzip' }).end(gzipSync('Basic their-secret is no good'));
  };
  const response = await fetch(`${app.url}/v1/proxy/${coded.id}/x`, { headers: coded.own });
  upstream.handler = usual;
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('compressed') } });
});

describe('[A15.6] quota for proxied requests', () => {
  test('rejects an account without quota', async () => {
    const poor = await proxyTo('', { quota: 0 });
    const before = upstream.received.length;
    const { status, text } = await poor.call('/x');
    expect(status).toBe(402);
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'insufficient_user_quota' } });
    expect(upstream.received).toHaveLength(before);
  });

  test('rejects a token without quota', async () => {
    const spent = await proxyTo();
    const { id } = await spent.client.call(tokenApi.create, {
      body: { name: 'spent', unlimited_quota: false, remain_quota: 0 },
    });
    const { key } = await spent.client.call(tokenApi.get, { params: { id } });
    const { status } = await spent.call('/x', { headers: { authorization: `Bearer sk-${key}` } });
    expect([401, 402]).toContain(status);
  });

  test('charges nothing and leaves nothing reserved', async () => {
    const one = await proxyTo('', { quota: 1 });
    expect((await one.call('/x')).status).toBe(200);
    expect((await one.call('/x')).status).toBe(200);
    const { user, logs, drift } = await one.books();
    expect(user).toMatchObject({ quota: 1, used_quota: 0 });
    expect(logs).toMatchObject([{ content: 'GET 200' }, { content: 'GET 200' }]);
    expect(drift).toBe(0);
  });
});

describe('[A15.6] incomplete proxied requests', () => {
  test('incomplete requests are logged when the upstream disconnects', async () => {
    const broken = await proxyTo();
    upstream.handler = (response) => {
      response.write('half', () => response.destroy());
    };
    await expect(broken.call('/x')).rejects.toThrow();
    await expect.poll(async () => (await broken.books()).logs).toMatchObject([{ type: 5, quota: 0 }]);
    const [log] = (await broken.books()).logs;
    expect(log?.content).toMatch(/^GET: The upstream disconnected during its response/);
  });

  test.each([true, false])(
    'incomplete requests are logged when the client disconnects (response started: %s)',
    async (hasBegun) => {
      const left = await proxyTo();
      const gone = new AbortController();
      upstream.handler = async (response, request) => {
        if (hasBegun) response.write('half');
        else gone.abort();
        await request.left;
      };
      const called = fetch(`${app.url}/v1/proxy/${left.id}/x`, { headers: left.own, signal: gone.signal });
      if (hasBegun) {
        await called;
        gone.abort();
      } else await expect(called).rejects.toThrow();
      await expect
        .poll(async () => (await left.books()).logs)
        .toMatchObject([{ type: 5, content: 'GET: Client disconnected' }]);
    },
  );
});
