import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

/** Two requests that take until the app is closing: one that replies as all do, one that has sent its head already. */
function serveSlowly(app: FastifyInstance): void {
  const untilClosing = async () => {
    while (app.server.listening) await nextTurn();
  };
  app.get('/slow', async () => {
    await untilClosing();
    return 'slow reply';
  });
  app.get('/stream', async (_, reply) => {
    reply.hijack();
    reply.raw.write('first part, ');
    await untilClosing();
    reply.raw.end('last part');
  });
}

async function ask(app: TestApp, path: string): Promise<Socket> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  socket.setEncoding('utf8').write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(app.app.server, 'request');
  return socket;
}

async function untilClosed(socket: Socket): Promise<string> {
  let received = '';
  for await (const text of socket) received += text;
  return received;
}

describe('while the app is closing', () => {
  test.each([
    ['/slow', /connection: close\r\n.*slow reply$/s],
    ['/stream', /first part, .*last part\r\n0\r\n\r\n$/s],
  ])('the connection of %s ends with its reply', async (path, received) => {
    const app = await startTestApp({ extend: serveSlowly });
    const socket = await ask(app, path);
    const closed = app.close();
    expect(await untilClosed(socket)).toMatch(received);
    await closed;
  });
});

test('a connection that has asked nothing yet, such as browsers open ahead of need, does not hold up the end', async () => {
  const app = await startTestApp();
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  await once(app.app.server, 'connection');
  const closed = app.close();
  await untilClosed(socket);
  await closed;
});

test('before that, connections are kept', async () => {
  await using app = await startTestApp();
  const { headers } = await app.client().request('GET', '/healthz');
  expect(headers.get('connection')).toBe('keep-alive');
});
