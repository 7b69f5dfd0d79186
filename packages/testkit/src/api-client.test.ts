import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sessionApi, statusApi, userApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { ApiClient } from './api-client.ts';

/** Creates a client connected to a server with this listener. */
async function clientOf(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    client: new ApiClient(`http://127.0.0.1:${port}`),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const replying =
  (status: number, body: unknown): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body));
  };

test('returns the data unchanged', async () => {
  await using server = await clientOf(replying(200, { success: true, message: '', data: 'notice' }));
  expect(await server.client.call(statusApi.notice)).toBe('notice');
});

test('throws on an error status and on an error envelope', async () => {
  await using rejecting = await clientOf(replying(401, { success: false, message: 'no' }));
  await expect(rejecting.client.call(userApi.self)).rejects.toMatchObject({ status: 401, message: 'no' });
  await using failed = await clientOf(replying(200, { success: false, message: 'taken' }));
  await expect(failed.client.call(userApi.self)).rejects.toMatchObject({ status: 200, message: 'taken' });
});

test("throws when the data does not match the endpoint's schema", async () => {
  await using server = await clientOf(replying(200, { success: true, message: '', data: { id: 'one' } }));
  await expect(server.client.call(userApi.self)).rejects.toThrow(/id/);
});

test('sends method, path, query, body and headers; headers of the request take precedence over those of the client', async () => {
  await using server = await clientOf((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { method, url, headers } = request;
      const seen = { method, url, body, type: headers['content-type'], a: headers['x-a'], b: headers['x-b'] };
      replying(200, seen)(request, response);
    });
  });
  server.client.headers['x-a'] = 'default';
  server.client.headers['x-b'] = 'default';
  const { body } = await server.client.send(sessionApi.login, {
    query: { p: 0, q: 'a&b', none: undefined },
    body: { username: 'x' },
    headers: { 'x-b': 'own' },
  });
  expect(body).toEqual({
    method: 'POST',
    url: '/api/user/login?p=0&q=a%26b',
    body: '{"username":"x"}',
    type: 'application/json',
    a: 'default',
    b: 'own',
  });
});

test('stores cookies and sends them until the server deletes them', async () => {
  const replies = ['session=one; Path=/; HttpOnly', 'session=; Path=/; Max-Age=0', undefined];
  const seen: (string | undefined)[] = [];
  await using server = await clientOf((request, response) => {
    seen.push(request.headers.cookie);
    const cookie = replies.shift();
    if (cookie !== undefined) response.setHeader('set-cookie', cookie);
    replying(200, {})(request, response);
  });
  for (let count = 0; count < 3; count += 1) await server.client.request('GET', '/');
  expect(seen).toEqual([undefined, 'session=one', undefined]);
});
