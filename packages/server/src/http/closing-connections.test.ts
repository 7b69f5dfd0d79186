import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { completion } from '@headgate/testkit';
import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { Shutdown } from '../platform/runtime/shutdown.ts';
import { relayFixture } from '../testing/relay/relay-fixture.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';

/** Two requests that last until the app closes: one with a normal response, one that has already sent its headers. */
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

async function send(app: TestApp, path: string): Promise<Socket> {
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
    ['/slow', /connection: close\r\n.*slow reply$/is],
    ['/stream', /first part, .*last part\r\n0\r\n\r\n$/s],
  ])('the connection of a request to %s is closed after its response', async (path, received) => {
    const app = await startTestApp({ extend: serveSlowly });
    const socket = await send(app, path);
    const closed = app.close();
    expect(await untilClosed(socket)).toMatch(received);
    await closed;
  });
});

test('[A70.6] sends "connection: close" when the shutdown begins before the response head is written', async () => {
  const shutdown = new Shutdown();
  const started = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  await using app = await startTestApp({ shutdown });
  const scene = await relayFixture(app, {
    upstreams: [
      async (response, request) => {
        started.resolve();
        await gate.promise;
        await completion()(response, request);
      },
    ],
  });
  const pending = scene.chat();
  await started.promise;
  shutdown.begin();
  gate.resolve();
  const response = await pending;
  expect([response.status, response.headers.get('connection')]).toEqual([200, 'close']);
  await response.text();
  await scene.close();
});

test("an idle connection, such as a browser's preconnect, does not delay the shutdown", async () => {
  const app = await startTestApp();
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  await once(app.app.server, 'connection');
  const closed = app.close();
  await untilClosed(socket);
  await closed;
});

test('connections are kept alive before the shutdown', async () => {
  await using app = await startTestApp();
  const { headers } = await app.client().request('GET', '/healthz');
  expect(headers.get('connection')).toBe('keep-alive');
});
