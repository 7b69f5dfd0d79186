import { Readable } from 'node:stream';
import { sessionApi, statusApi, userApi } from '@headgate/contract';
import type { ApiResponse } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { rawRequest } from '../testing/relay/raw-request.ts';
import { startTestApp, useTestApp } from '../testing/test-app.ts';

const app = await useTestApp();

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const json = { 'content-type': 'application/json' };

describe('API envelope', () => {
  test('a success returns "success" and the data', async () => {
    const { status, headers, body } = await app.client().send(statusApi.notice);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual({ success: true, message: '', data: '' });
  });

  test('a success without data omits the data', async () => {
    expect((await app.client().send(sessionApi.logout)).body).toEqual({ success: true, message: '' });
  });

  test('an error returns its message', async () => {
    const { status, headers, body } = await app.client().send(userApi.self);
    expect(status).toBe(401);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual({ success: false, message: 'Not logged in, or the session has expired' });
  });

  test('[A56.13] error responses carry the error code in a header, for any status, language and origin', async () => {
    const codeOf = async (send: Promise<ApiResponse>) => (await send).headers.get('x-error-code');
    const root = await app.as('root');
    const zh = { 'accept-language': 'zh' };
    expect(await codeOf(app.client().send(userApi.self, { headers: zh }))).toBe('notSignedIn');
    expect(await codeOf(root.send(userApi.get, { params: { id: 999_999 } }))).toBe('unknownUser');
    expect(await codeOf(root.send(userApi.create, { body: {} }))).toBe('badInput');
    const headers = { 'content-type': 'application/json' };
    expect(await codeOf(root.send(userApi.create, { rawBody: '{', headers }))).toBe('badInput');
    expect(
      await codeOf(root.request('POST', '/api/user/', { rawBody: 'x', headers: { 'content-type': 'text/x' } })),
    ).toBe('badInput');
    expect(await codeOf(root.request('GET', '/api/nowhere'))).toBe('unknownPath');
    expect(await codeOf(root.request('PATCH', '/api/user/'))).toBe('unknownPath');
    expect(await codeOf(root.send(userApi.self))).toBeNull();
  });
});

describe('messages use the caller’s language', () => {
  test.each([
    ['en-US,en;q=0.9', 'Not logged in, or the session has expired'],
    ['fr', 'Not logged in, or the session has expired'],
    ['', 'Not logged in, or the session has expired'],
    ['en,zh;q=0.5', 'Not logged in, or the session has expired'],
    ['zh-CN,zh;q=0.9,en;q=0.8', '未登录或登录已过期'],
    ['zh', '未登录或登录已过期'],
    ['ZH-cn', '未登录或登录已过期'],
  ])('Accept-Language %j selects the language', async (language, message) => {
    const response = await app.client().send(userApi.self, { headers: { 'accept-language': language } });
    expect(response.body).toEqual({ success: false, message });
  });

  test('messages about invalid fields use the caller’s language too', async () => {
    const send = (language: string) =>
      app.client().send(sessionApi.login, { body: { password: 'x' }, headers: { 'accept-language': language } });
    expect((await send('en')).body).toMatchObject({
      message: expect.stringMatching(/^Invalid parameter: username: [A-Z]/),
    });
    expect((await send('zh')).body).toMatchObject({
      message: expect.stringMatching(/^无效的参数：username: \p{Script=Han}/u),
    });
  });
});

const post = (rawBody: string, headers: Record<string, string> = json) =>
  app.client().send(sessionApi.login, { rawBody, headers });

describe('invalid request body', () => {
  test.each([
    ['is not JSON', '{"username": "root", '],
    ['is empty', ''],
    ['contains __proto__', '{"username":"a","password":"b","__proto__":{"role":100}}'],
    ['contains constructor.prototype', '{"username":"a","password":"b","constructor":{"prototype":{"role":100}}}'],
    ['is an array', '["root"]'],
    ['is a string', '"root"'],
    ['is null', 'null'],
    ['contains a null character', '{"username":"a\\u0000","password":"b"}'],
    ['contains a nested null character', '{"username":"a","password":"b","c":[{"d":"\\u0000"}]}'],
  ])('returns 400 for a body that %s', async (_, rawBody) => {
    const { status, body } = await post(rawBody);
    expect(status).toBe(400);
    expect(body).toEqual({ success: false, message: expect.stringMatching(/^Invalid parameter: ./) });
  });

  test('accepts __proto__ as a value', async () => {
    expect((await post('{"username":"__proto__","password":"\\\\u0000"}')).status).toBe(200);
  });

  test('a body pollutes no prototype', async () => {
    await post('{"__proto__":{"polluted":true}}');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test.each(['application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'nonsense'])(
    'returns 415 for the content type %s',
    async (type) => {
      const { status, body } = await post('username=root&password=123456', { 'content-type': type });
      expect(status).toBe(415);
      expect(body).toEqual({ success: false, message: expect.any(String) });
    },
  );

  test('a text/plain body is not parsed as JSON', async () => {
    const { status } = await post('{"username":"root","password":"123456"}', { 'content-type': 'text/plain' });
    expect(status).toBe(400);
  });

  test('returns 413 for a body above one megabyte', async () => {
    const { status, body } = await post(JSON.stringify({ username: 'a', password: 'b'.repeat(1_100_000) }));
    expect(status).toBe(413);
    expect(body).toEqual({ success: false, message: expect.stringMatching(/too large/) });
  });
});

describe('[A24.6] a body nested a hundred thousand levels deep', () => {
  test.each([
    ['arrays', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    ['arrays inside a field', `{"username":${'['.repeat(100_000)}${']'.repeat(100_000)},"password":"x"}`],
    ['unclosed arrays', '['.repeat(100_000)],
  ])('returns 400 for %s', async (_, text) => {
    const { status, body } = await post(text);
    expect(status).toBe(400);
    expect(body).toEqual({ success: false, message: expect.stringContaining('nested too deeply') });
  });
});

describe('unknown path', () => {
  test.each([
    ['GET', '/api'],
    ['GET', '/api/nothing'],
    ['GET', '/api/user/self/nothing'],
    ['POST', '/api/nothing'],
    ['POST', '/nothing'],
    ['DELETE', '/token'],
  ])('%s %s returns 404 in the API envelope', async (method, path) => {
    const { status, headers, body } = await app.client().request(method, `${path}?secret=1`);
    expect(status).toBe(404);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual({ success: false, message: `Invalid URL (${method} ${path})` });
  });

  test.each([
    ['GET', '/v1'],
    ['GET', '/v1/nothing'],
    ['POST', '/v1/chat/nothing'],
  ])('%s %s returns 404 in OpenAI’s format', async (method, path) => {
    const { status, headers, body } = await app.client().request(method, path);
    expect(status).toBe(404);
    const hint = 'Chat requests go to /v1/chat/completions; all endpoints are listed at /api/openapi.json';
    const message = `Invalid URL (${method} ${path}). ${hint} (request id: ${headers.get('x-request-id')})`;
    expect(body).toEqual({ error: { message, type: 'invalid_request_error', param: null, code: null } });
  });

  test.each([
    ['POST', '/api/status'],
    ['DELETE', '/api/status'],
    ['PUT', '/api/user/login'],
    ['GET', '/api/topup'],
    ['PATCH', '/api/user/self'],
    ['OPTIONS', '/api/user/self'],
  ])('a wrong method returns 404: %s %s', async (method, path) => {
    const { status, body } = await app.client().request(method, path);
    expect(status).toBe(404);
    expect(body).toMatchObject({ success: false });
  });

  test.each([
    '/api/%zz',
    '/api/nothing/%c0%ae',
    '/api/nothing/self%',
    '/api/nothing/self%?x=1',
    `/api/nothing/${'x'.repeat(5000)}`,
  ])('the malformed path %s is handled like any unknown path', async (path) => {
    const response = await rawRequest(app.url, path);
    expect(response.status).toBe(404);
    expect(JSON.parse(response.text)).toEqual({ success: false, message: expect.stringMatching(/^Invalid URL/) });
    expect(response.headers['x-request-id']).toMatch(uuid);
    expect(response.headers['x-content-type-options']).toBe('nosniff');
  });
});

describe('trailing slash', () => {
  test.each([statusApi.status, userApi.self, sessionApi.logout])(
    'the trailing slash is optional for $path',
    async ({ path }) => {
      const client = await app.as('user');
      const without = await client.request('GET', path);
      const signedInAgain = await app.as('user');
      const withSlash = await signedInAgain.request('GET', `${path}/`);
      expect([without.status, withSlash.status]).toEqual([200, 200]);
      expect(withSlash.body).toMatchObject({ success: true });
    },
  );
});

describe('request id', () => {
  test('every response has a unique request id', async () => {
    const client = app.client();
    const responses = await Promise.all([
      client.send(statusApi.status),
      client.send(statusApi.status),
      client.send(userApi.self),
      client.request('GET', '/api/nothing'),
      client.request('POST', '/v1/nothing'),
      client.request('GET', '/healthz'),
      client.request('GET', '/anything'),
      client.send(sessionApi.login, { rawBody: '{', headers: json }),
      client.send(sessionApi.login, { rawBody: 'x'.repeat(1_100_000), headers: json }),
    ]);
    const ids = responses.map(({ headers }) => headers.get('x-request-id'));
    for (const id of ids) expect(id).toMatch(uuid);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('the request id is not taken from the request', async () => {
    const response = await app
      .client()
      .send(statusApi.status, { headers: { 'x-request-id': 'mine', 'request-id': 'mine' } });
    expect(response.headers.get('x-request-id')).toMatch(uuid);
  });
});

describe('internal error', () => {
  test.each([
    ['en', 'Internal error. Request id: '],
    ['zh', '服务器内部错误。请求编号：'],
  ])('returns 500 with the request id and no details (%s)', async (language, message) => {
    await using broken = await startTestApp();
    const client = await broken.as('user');
    await broken.database.destroy();
    const response = await client.send(userApi.self, { headers: { 'accept-language': language } });
    expect(response.status).toBe(500);
    expect(response.body).toEqual({ success: false, message: message + response.headers.get('x-request-id') });
  });
});

test('[A32.6] a file that fails before its first byte returns a normal error instead of a file', async () => {
  await using failing = await startTestApp({
    extend: (server) => {
      server.get('/api/file', (_, reply) =>
        reply
          .type('text/csv')
          .header('content-disposition', 'attachment; filename="a.csv"')
          .header('x-total-count', 5)
          .send(
            new Readable({
              read() {
                this.destroy(new Error('no file'));
              },
            }),
          ),
      );
    },
  });
  const { status, headers, body } = await failing.client().request('GET', '/api/file');
  expect([status, headers.get('content-type')]).toEqual([500, 'application/json; charset=utf-8']);
  expect(body).toEqual({ success: false, message: expect.stringMatching(/^Internal error/) });
  expect([headers.get('content-disposition'), headers.get('x-total-count')]).toEqual([null, null]);
});
