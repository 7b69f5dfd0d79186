import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { api, createClient, type Data, type Endpoint, type HeadgateClient, HeadgateError } from './index.ts';

const accessToken = 'hg_secret-of-somebody';
const rows: readonly Endpoint[] = Object.values(api).flatMap((table) => Object.values(table));

const stack: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of stack.splice(0)) await close();
});

/** Creates a client connected to a server with this listener. */
async function clientOf(listener: RequestListener): Promise<{ client: HeadgateClient; url: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stack.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { client: createClient({ url, accessToken }), url };
}

const responding =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);

async function failureOf(act: () => Promise<unknown>): Promise<HeadgateError> {
  const failure = await act().then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(HeadgateError);
  // The token must not appear in any printed form of the error, including its causes.
  expect(inspect(failure, { depth: 20, showHidden: true })).not.toContain(accessToken);
  return failure as HeadgateError;
}

const notice = '{"success":true,"message":"","data":"hello"}';

describe('[A56.9] responses that are not from a gateway', () => {
  test.each<[string, RequestListener, object]>([
    ['an HTML page', responding(200, '<!doctype html><p>Welcome', { 'content-type': 'text/html' }), { status: 200 }],
    [
      'a proxy error page',
      responding(502, '<h1>Bad gateway</h1>', { 'retry-after': '7' }),
      { status: 502, retryAfterSeconds: 7 },
    ],
    ['truncated JSON', responding(200, notice.slice(0, -9)), { status: 200 }],
    ['an empty body', responding(200, ''), { status: 200 }],
    ['status 204', responding(204, ''), { status: 204 }],
    ['status 304', responding(304, ''), { status: 304 }],
    ['a number', responding(200, '1e999'), { status: 200 }],
    ['null', responding(200, 'null'), { status: 200 }],
    ['a list', responding(200, '[true]'), { status: 200 }],
    ['a success flag that is a string', responding(200, '{"success":"true","data":"x"}'), { status: 200 }],
    ['data of the wrong type', responding(200, '{"success":true,"data":{"__proto__":1}}'), { status: 200 }],
  ])('[A56.9] rejects %s as unreadable', async (_, listener, expected) => {
    const { client, url } = await clientOf(listener);
    const failure = await failureOf(() => client.call(api.status.notice));
    expect(failure).toMatchObject({ kind: 'unreadable', code: undefined, ...expected });
    expect(failure.message).toContain(`${url}/api/notice`);
  });

  test('[A56.9] names the invalid field in the error, but not the search terms', async () => {
    const { client } = await clientOf(
      responding(200, '{"success":true,"data":[{"id":"one"}]}', { 'x-total-count': '1' }),
    );
    const failure = await failureOf(() => client.page(api.channel.search, { query: { keyword: 'sk-looked-for' } }));
    expect(failure.message).toMatch(/\/api\/channel\/search returned an unreadable response: at 0\.id$/);
    expect(failure.message).not.toContain('sk-looked-for');
  });

  test.each(['', 'many', '-1', '1.5', '1e9', '99999999999999999999'])(
    '[A56.9] rejects a list whose total count is %j',
    async (total) => {
      const headers: Record<string, string> = total === '' ? {} : { 'x-total-count': total };
      const { client } = await clientOf(responding(200, '{"success":true,"data":[]}', headers));
      expect(await failureOf(() => client.page(api.channel.list, { query: {} }))).toMatchObject({ kind: 'unreadable' });
    },
  );

  test('[A56.9] rejects a JSON response to a file download', async () => {
    const { client } = await clientOf(responding(200, notice));
    expect(await failureOf(() => client.file(api.log.export, { query: {} }))).toMatchObject({ kind: 'unreadable' });
    const { client: rejected } = await clientOf(
      responding(429, '{"success":false,"message":"later"}', { 'retry-after': '3' }),
    );
    expect(await failureOf(() => rejected.file(api.log.export, { query: {} }))).toMatchObject({
      kind: 'refused',
      retryAfterSeconds: 3,
    });
  });
});

describe('[A56.9] addresses that are not a gateway', () => {
  test.each([301, 302, 303, 307, 308])(
    'does not follow a %i redirect, so the token is not sent to another host',
    async (status) => {
      const seen: unknown[] = [];
      const { url: elsewhere } = await clientOf((request, response) => {
        seen.push(request.headers.authorization);
        responding(200, notice)(request, response);
      });
      const { client } = await clientOf(responding(status, '', { location: `${elsewhere}/api/notice` }));
      const failure = await failureOf(() => client.call(api.status.notice));
      expect(failure).toMatchObject({ kind: 'unreadable', status });
      expect(failure.message).toContain('redirects are not followed');
      expect(seen).toEqual([]);
    },
  );

  test('reports a closed or truncated connection as unreachable', async () => {
    const { client } = await clientOf((request) => void request.socket.destroy());
    expect(await failureOf(() => client.call(api.status.notice))).toMatchObject({ kind: 'unreachable', status: 0 });
    const { client: cut } = await clientOf((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write(notice);
      setImmediate(() => response.destroy());
    });
    expect(await failureOf(() => cut.call(api.status.notice))).toMatchObject({ kind: 'unreachable', status: 0 });
  });

  test.each([
    ...['', 'gateway.example', '/api', 'ftp://gateway.example', 'file:///etc/passwd', 'javascript:alert(1)'],
    ...['https://', 'https://somebody:password@gateway.example', 'https://somebody@gateway.example'],
    ...['https://gateway.example/?a=b', 'https://gateway.example/#', 'https://gateway.example?'],
  ])('rejects the URL %j without repeating it', (url) => {
    const make = () => createClient({ url, accessToken });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(/^url must [^@]*$/);
  });

  test.each(['', ' ', 'hg_one\nhg_two', 'hg_“quoted”', 'Bearer hg_x', 'hg_\u0000', '密钥'])(
    'rejects the access token %j without repeating it',
    (given) => {
      const make = () => createClient({ url: 'https://gateway.example', accessToken: given });
      expect(make).toThrow(TypeError);
      expect(make).toThrow(/^accessToken is empty or contains invalid characters$/);
    },
  );

  test('trims the line break of a token that was read from a file', async () => {
    const seen: unknown[] = [];
    const { url } = await clientOf((request, response) => {
      seen.push(request.headers.authorization);
      responding(200, notice)(request, response);
    });
    await createClient({ url: `${url}/`, accessToken: `${accessToken}\n` }).call(api.status.notice);
    await createClient({ url, accessToken: undefined }).call(api.status.notice);
    expect(seen).toEqual([`Bearer ${accessToken}`, undefined]);
  });
});

describe('[A56.9] invalid ids', () => {
  test.each(['', '.', '..', undefined, null])(
    '[A56.9] rejects the id %j instead of calling another endpoint',
    async (given) => {
      const seen: unknown[] = [];
      const { client } = await clientOf((request, response) => {
        seen.push(`${request.method} ${request.url}`);
        responding(200, '{"success":true}')(request, response);
      });
      const params = { session: given as string };
      await expect(client.call(api.session.end, { params })).rejects.toThrow(/^session is missing or not allowed/);
      await client.call(api.session.end, { params: { session: '../x?y#z' } });
      expect(seen).toEqual(['DELETE /api/user/session/..%2Fx%3Fy%23z']);
    },
  );
});

describe('error responses', () => {
  const rejection = '{"success":false,"message":"no"}';

  test.each([
    ['7', 7],
    ['0', 0],
    ['Fri, 01 Jan 1999 00:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['', undefined],
    ['9'.repeat(400), undefined],
  ])('parses the Retry-After header %j', async (given, expected) => {
    const { client } = await clientOf(
      responding(429, rejection, { 'retry-after': given, 'x-error-code': 'tooManyRequests' }),
    );
    const failure = await failureOf(() => client.call(api.user.self));
    expect(failure).toMatchObject({ kind: 'refused', status: 429, code: 'tooManyRequests', message: 'no' });
    expect(failure.retryAfterSeconds).toBe(expected);
  });

  test('recognizes an error response with status 200 and without a message', async () => {
    const { client } = await clientOf(responding(200, rejection, { 'x-error-code': 'notFound' }));
    expect(await failureOf(() => client.call(api.user.self))).toMatchObject({
      kind: 'refused',
      status: 200,
      code: 'notFound',
    });
    const { client: silent } = await clientOf(responding(500, '{"success":true,"message":{"toString":1}}'));
    expect(await failureOf(() => silent.call(api.user.self))).toMatchObject({ kind: 'refused', message: 'HTTP 500' });
  });
});

describe('aborted calls', () => {
  const reason = new Error('nobody waits any more');

  test('rejects with the abort reason when a call is aborted before sending, while reading the response, or by a timeout', async () => {
    const begun = Promise.withResolvers<void>();
    const { client } = await clientOf((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"success":');
      begun.resolve();
    });
    await expect(client.call(api.user.self, {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const call = client.call(api.user.self, {}, { signal: controller.signal });
    await begun.promise;
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    await expect(client.call(api.user.self, {}, { signal: AbortSignal.timeout(1) })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
  });
});

type Api = typeof api;
/** Names of endpoints whose data is typed as `any`. */
type Untyped = {
  [Table in keyof Api]: {
    [Row in keyof Api[Table]]: Api[Table][Row] extends Endpoint
      ? 0 extends 1 & Data<Api[Table][Row]>
        ? `${Table}.${Row & string}`
        : never
      : `${Table}.${Row & string}`;
  }[keyof Api[Table]];
}[keyof Api];

test('declares types for the path parameters and data of every endpoint', () => {
  const untyped: readonly Untyped[] = [] satisfies readonly never[];
  const isTyped: [Untyped] extends [never] ? true : false = true;
  expect([untyped, isTyped]).toEqual([[], true]);
  expect(rows.length).toBeGreaterThan(150);
  for (const { method, path, params } of rows) {
    const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    expect(Object.keys(params?.shape ?? {}), `${method} ${path}`).toEqual(named);
  }
});
