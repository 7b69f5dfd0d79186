import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { reply, type UpstreamAnswer } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { relayScene } from '../testing/relay-scene.ts';
import { useTestApp } from '../testing/test-app.ts';
import { chatReply, done, piece, plainPrice, stop, usageEvent } from '../testing/upstream-answers.ts';

const app = await useTestApp({ readerPatienceMs: 1000 });

type Scene = Awaited<ReturnType<typeof relayScene>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

async function sceneWith(answer: UpstreamAnswer): Promise<Scene> {
  const scene = await relayScene(app, { upstreams: [answer], quota: 1_000_000_000_000 });
  scenes.push(scene);
  return scene;
}

const event = piece('x'.repeat(64 * 1024));

/** As many events as fit before nobody takes any more. */
const endless: UpstreamAnswer = async (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const closed = new Promise((resolve) => response.once('close', resolve));
  while (!response.destroyed) {
    if (!response.write(event)) await Promise.race([closed, new Promise((resolve) => response.once('drain', resolve))]);
  }
};

/** Asks and then reads nothing. */
function askAndStall(scene: Scene, body: object): Socket {
  const { hostname, port } = new URL(app.url);
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

test('[A24.10] a stream that nobody reads is ended, the upstream cancelled, and what was sent is charged', async () => {
  const scene = await sceneWith(endless);
  const socket = askAndStall(scene, { stream: true });
  await expect.poll(async () => (await scene.books()).logs, { timeout: 10_000 }).toHaveLength(1);
  await scene.upstreams[0]?.seen[0]?.left;
  const { user, logs, drift } = await scene.books();
  expect(logs).toMatchObject([{ type: 2, ended_by: 'client' }]);
  expect(logs[0]?.completion_tokens).toBeGreaterThan(16 * 1024);
  expect([user.used_quota, user.request_count, drift]).toEqual([logs[0]?.quota, 1, 0]);
  socket.destroy();
});

/** Asks, reads nothing, and waits until the connection is given up. */
async function stallUntilClosed(scene: Scene): Promise<void> {
  const accepted = once(app.app.server, 'connection') as Promise<[Socket]>;
  const socket = askAndStall(scene, { max_tokens: 100 });
  const [served] = await accepted;
  await once(served, 'close');
  socket.destroy();
}

const megabyte = 1024 * 1024;

test('[A24.10] a whole reply that nobody reads does not stay in memory; it was charged', async () => {
  const scene = await sceneWith(reply(chatReply({ content: 'x'.repeat(7 * megabyte) })));
  await stallUntilClosed(scene);
  expect((await scene.books()).logs).toMatchObject([{ type: 2, quota: plainPrice, ended_by: '' }]);
});

test('[A24.10] a long reply that is passed on as it comes and that nobody reads is given up, and what came is charged', async () => {
  const scene = await sceneWith(reply(chatReply({ content: 'x'.repeat(30 * megabyte) })));
  await stallUntilClosed(scene);
  await expect.poll(async () => (await scene.books()).logs).toMatchObject([{ type: 2, ended_by: 'client' }]);
  const { user, logs, drift } = await scene.books();
  expect(logs[0]?.quota).toBeGreaterThan(0);
  expect([user.used_quota, drift]).toEqual([logs[0]?.quota, 0]);
});

test('who reads slowly, but reads, gets everything', async () => {
  const events = 40;
  const scene = await sceneWith(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let sent = 0; sent < events; sent += 1) {
      if (!response.write(event)) await once(response, 'drain');
    }
    response.end(stop + usageEvent + done);
  });
  const socket = askAndStall(scene, { stream: true });
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
