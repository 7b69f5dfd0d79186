import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import {
  chatReply,
  completion,
  done,
  piece,
  plainPrice,
  stop,
  stream,
  type UpstreamAnswer,
  usageEvent,
} from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { relayScene } from '../../testing/relay-scene.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp({ options: { RetryTimes: '2' } });

type Scene = Awaited<ReturnType<typeof relayScene>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

async function sceneWith(upstreams: UpstreamAnswer[], quota = 1_000_000): Promise<Scene> {
  const scene = await relayScene(app, { upstreams, quota });
  scenes.push(scene);
  return scene;
}

const silent: UpstreamAnswer = () => undefined;

/** The head and half of a body, and no more. */
const halfReply: UpstreamAnswer = (response) => {
  const text = JSON.stringify(chatReply());
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(text.length) });
  response.write(text.slice(0, 40));
};

/** (1 token of text, 1 of its role, 3 around the message and 3 before the answer) × 2.5. */
const promptPrice = 20;

test.each([
  ['before the head of a reply', silent, {}],
  ['in the middle of a reply', halfReply, {}],
  ['before the head of a stream', silent, { stream: true }],
  ['before the first event of a stream', stream([': wait\n\n'], 'stall'), { stream: true }],
])(
  '[A4.1] %s: the upstream is cancelled, the prompt is charged once and nothing stays held',
  async (_, answer, body) => {
    const scene = await sceneWith([answer, completion()]);
    const gone = new AbortController();
    const asking = scene.chat(body, { signal: gone.signal }).catch(() => undefined);
    await expect.poll(() => scene.upstreams[0]?.seen.length).toBe(1);
    gone.abort();
    await asking;
    await scene.upstreams[0]?.seen[0]?.left;
    await expect.poll(async () => (await scene.books()).logs).toHaveLength(1);
    const { user, logs, drift } = await scene.books();
    expect(logs).toMatchObject([{ type: 2, ended_by: 'client', quota: promptPrice, completion_tokens: 0 }]);
    expect(logs[0]?.channel).toBeGreaterThan(0);
    expect(user).toMatchObject({ used_quota: promptPrice, quota: 1_000_000 - promptPrice, request_count: 1 });
    expect(drift).toBe(0);
    expect(scene.upstreams[1]?.seen).toEqual([]);
  },
);

test('nothing stays held: after a hang-up all that is left can be spent', async () => {
  const scene = await sceneWith([silent], 600);
  const gone = new AbortController();
  const asking = scene.chat({ max_tokens: 50 }, { signal: gone.signal }).catch(() => undefined);
  await expect.poll(() => scene.upstreams[0]?.seen.length).toBe(1);
  expect((await scene.chat({ max_tokens: 50 })).status).toBe(429);
  gone.abort();
  await asking;
  await expect.poll(async () => (await scene.books()).logs).toHaveLength(1);
  const [upstream] = scene.upstreams;
  if (upstream) upstream.answer = completion();
  expect((await scene.chat({ max_tokens: 50 })).status).toBe(200);
  expect((await scene.books()).user.used_quota).toBe(promptPrice + plainPrice);
});

test('a reader that stops holds the upstream back instead of filling the memory, and gets all when it goes on', async () => {
  const event = piece('x'.repeat(64 * 1024));
  const events = 1500;
  let written = 0;
  const fast: UpstreamAnswer = async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (; written < events && !response.destroyed; written += 1) {
      if (!response.write(event)) await once(response, 'drain');
    }
    response.end(stop + usageEvent + done);
  };
  const scene = await sceneWith([fast], 1_000_000_000_000);
  const before = process.memoryUsage().rss;
  const socket = openRaw(scene);
  socket.pause();
  await expect.poll(() => written, { timeout: 10_000 }).toBeGreaterThan(0);
  const rested = await untilStill(() => written);
  expect(rested).toBeLessThan(events / 2);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  let received = 0;
  let end = '';
  socket.on('data', (bytes: Buffer) => {
    received += bytes.length;
    end = (end + bytes.subarray(-64).toString('latin1')).slice(-64);
    if (end.includes('[DONE]')) socket.destroy();
  });
  socket.resume();
  await once(socket, 'close');
  expect(received).toBeGreaterThan(events * event.length);
  expect((await scene.books()).logs).toMatchObject([{ type: 2, quota: plainPrice }]);
});

function openRaw(scene: Scene): Socket {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  const body = JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'hi' }] });
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    'host: headgate',
    `authorization: Bearer sk-${scene.token.key}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return socket;
}

/** The number once it has not moved between two looks. */
async function untilStill(count: () => number): Promise<number> {
  let last = -1;
  await expect
    .poll(
      () => {
        const isStill = count() === last;
        last = count();
        return isStill;
      },
      { interval: 300, timeout: 10_000 },
    )
    .toBe(true);
  return last;
}
