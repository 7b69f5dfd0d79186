import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import {
  chatResponse,
  done,
  plainPrice,
  reply,
  SocketUpstream,
  stop,
  textChunk,
  type UpstreamHandler,
  usageEvent,
} from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { wireNamed } from '../../testing/relay/wire-fixture.ts';
import { startTestApp, useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ readerPatienceMs: 1000 });

type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

async function sceneWith(respond: UpstreamHandler): Promise<Scene> {
  const scene = await relayFixture(app, { upstreams: [respond], quota: 1_000_000_000_000 });
  scenes.push(scene);
  return scene;
}

const event = textChunk('x'.repeat(64 * 1024));

/** Sends events until the buffers are full. */
const endless: UpstreamHandler = async (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const closed = new Promise((resolve) => response.once('close', resolve));
  while (!response.destroyed) {
    if (!response.write(event)) await Promise.race([closed, new Promise((resolve) => response.once('drain', resolve))]);
  }
};

/** Sends a request and does not read the response. */
function sendAndStall(scene: Scene, body: object, url = app.url): Socket {
  const { hostname, port } = new URL(url);
  const text = JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...body });
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    'host: headgate',
    `authorization: Bearer sk-${scene.token.key}`,
    'content-type: application/json',
    `content-length: ${text.length}`,
  ];
  const socket = connect(Number(port), hostname).pause();
  socket.on('error', () => undefined);
  socket.write(`${head.join('\r\n')}\r\n\r\n${text}`);
  return socket;
}

test('[A24.10] ends an unread stream, cancels the upstream request and charges the sent part', async () => {
  const scene = await sceneWith(endless);
  const socket = sendAndStall(scene, { stream: true });
  await expect.poll(async () => (await scene.books()).logs).toHaveLength(1);
  await scene.upstreams[0]?.received[0]?.left;
  const { user, logs, drift } = await scene.books();
  expect(logs).toMatchObject([{ type: 2, ended_by: 'client' }]);
  expect(logs[0]?.completion_tokens).toBeGreaterThan(16 * 1024);
  expect([user.used_quota, user.request_count, drift]).toEqual([logs[0]?.quota, 1, 0]);
  socket.destroy();
});

/** Sends a request, does not read the response and waits until the connection is closed. */
async function stallUntilClosed(scene: Scene): Promise<void> {
  const accepted = once(app.app.server, 'connection') as Promise<[Socket]>;
  const socket = sendAndStall(scene, { max_tokens: 100 });
  const [served] = await accepted;
  await once(served, 'close');
  socket.destroy();
}

const megabyte = 1024 * 1024;

test('[A24.10] does not keep an unread whole response in memory, but still charges it', async () => {
  const scene = await sceneWith(reply(chatResponse({ content: 'x'.repeat(7 * megabyte) })));
  await stallUntilClosed(scene);
  expect((await scene.books()).logs).toMatchObject([{ type: 2, quota: plainPrice, ended_by: '' }]);
});

test('[A24.10] ends an unread long response that is streamed through and charges the received part', async () => {
  const scene = await sceneWith(reply(chatResponse({ content: 'x'.repeat(30 * megabyte) })));
  await stallUntilClosed(scene);
  await expect.poll(async () => (await scene.books()).logs).toMatchObject([{ type: 2, ended_by: 'client' }]);
  const { user, logs, drift } = await scene.books();
  expect(logs[0]?.quota).toBeGreaterThan(0);
  expect([user.used_quota, drift]).toEqual([logs[0]?.quota, 0]);
});

test('[A24.10] disconnects from a WebSocket upstream, which has no backpressure, when too much data is pending', async () => {
  // Long reader timeout, so that the client is not disconnected first.
  await using patient = await startTestApp();
  const wire = wireNamed('Spark by socket');
  const text = [{ role: 'assistant', index: 0, content: 'x'.repeat(60_000) }];
  const message = JSON.stringify({ header: { code: 0, status: 1 }, payload: { choices: { status: 1, seq: 0, text } } });
  // More than fits into the network buffers and the pending limit together.
  const messages = (64 * megabyte) / message.length;
  const upstream = await SocketUpstream.start(async (response, { left }) => {
    for (let sent = 0; sent < messages; sent += 1) {
      const written = new Promise<void>((resolve) => response.write(message, () => resolve()));
      if (await Promise.race([left.then(() => true), written.then(() => false)])) return;
    }
  });
  const scene = await relayFixture(patient, { quota: 1_000_000_000_000 });
  await createChannel(scene.admin, scene.group, upstream.url, {
    type: wire.type,
    models: wire.model,
    ...wire.channel(upstream.url),
  });
  const socket = sendAndStall(scene, { model: wire.model, stream: true }, patient.url);
  await expect.poll(() => upstream.received.length).toBe(1);
  await upstream.received[0]?.left;
  await expect.poll(async () => (await scene.books()).logs).toMatchObject([{ ended_by: 'upstream' }]);
  const { user, logs, drift } = await scene.books();
  expect(logs[0]?.content).toContain('the client reads too slowly');
  expect([user.used_quota, drift]).toEqual([logs[0]?.quota, 0]);
  socket.destroy();
  await upstream.close();
});

test('delivers the full response to a slow reader', async () => {
  const events = 40;
  const scene = await sceneWith(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let sent = 0; sent < events; sent += 1) {
      if (!response.write(event)) await once(response, 'drain');
    }
    response.end(stop + usageEvent + done);
  });
  const socket = sendAndStall(scene, { stream: true });
  let received = 0;
  let end = '';
  socket.on('data', (bytes: Buffer) => {
    received += bytes.length;
    end = (end + bytes.subarray(-64).toString('latin1')).slice(-64);
    socket.pause();
    setTimeout(() => socket.resume(), 20);
    if (end.includes('[DONE]')) socket.destroy();
  });
  socket.resume();
  await once(socket, 'close');
  expect(received).toBeGreaterThan(events * event.length);
  expect((await scene.books()).logs).toMatchObject([{ type: 2, quota: plainPrice }]);
});
