import { optionApi } from '@headgate/contract';
import { completion, reply, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const root = await app.as('root');
await root.call(optionApi.update, { body: { key: 'RetryTimes', value: '2' } });

type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

async function sceneWith(upstreams: UpstreamHandler[], channel: object): Promise<Scene> {
  const scene = await relayFixture(app, { upstreams, channel: { ...channel } });
  scenes.push(scene);
  return scene;
}

/** Disconnects after the first upstream has received `requestCount` requests and, as far as visible, responded. */
async function leaveAfter(scene: Scene, requestCount: number, path: string, body: object) {
  const gone = new AbortController();
  const [upstream] = scene.upstreams;
  const before = (await scene.books()).logs.length;
  const pending = scene.post(path, body, { signal: gone.signal }).catch(() => undefined);
  await expect.poll(() => upstream?.received.length).toBe(requestCount);
  await settled();
  gone.abort();
  await pending;
  await expect.poll(async () => (await scene.books()).logs.length).toBe(before + 1);
  return (await scene.books()).logs.at(-1);
}

const speech = { model: 'tts-1', voice: 'alloy', input: 'hello' };
const speechPrice = 38;

/** Sends the response head without any audio. */
const headOnly: UpstreamHandler = (response) => {
  response.writeHead(200, { 'content-type': 'audio/mpeg' });
  response.flushHeaders();
};

test('[A4.6] [A28.2] charges a client that disconnects between the headers and the first byte of speech, without counting a channel failure', async () => {
  const scene = await sceneWith([headOnly, reply('ID3', 200, 'audio/mpeg')], { models: 'tts-1' });
  for (let count = 1; count <= 4; count += 1) {
    const log = await leaveAfter(scene, count, '/v1/audio/speech', speech);
    expect(log).toMatchObject({ content: 'Client disconnected', quota: speechPrice });
    expect(JSON.parse(log?.detail ?? '{}').attempts).toBeUndefined();
  }
  const { user, drift } = await scene.books();
  expect([user.used_quota, drift]).toEqual([4 * speechPrice, 0]);
  expect(scene.upstreams.map(({ received }) => received.length)).toEqual([4, 0]);
});

/** Waits for a later request; by then the earlier response head has arrived. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await fetch(`${app.url}/api/status`);
}

const image = { model: 'wanx-v1', prompt: 'a lock' };
const running = { output: { task_status: 'RUNNING', task_id: 'task-1' } };

test('[A4.7] [A28.2] charges a client that disconnects while an image is pending, without counting a channel failure', async () => {
  const scene = await sceneWith([reply(running), reply(running)], { type: 17, models: 'wanx-v1' });
  for (let count = 1; count <= 4; count += 1) {
    const log = await leaveAfter(scene, count, '/v1/images/generations', image);
    expect(log).toMatchObject({ content: 'Client disconnected' });
    expect(log?.quota).toBeGreaterThan(0);
    expect(JSON.parse(log?.detail ?? '{}').attempts).toBeUndefined();
  }
  const { user, logs, drift } = await scene.books();
  expect([user.used_quota, drift]).toEqual([logs.reduce((sum, { quota }) => sum + quota, 0), 0]);
  expect(scene.upstreams.map(({ received }) => received.length)).toEqual([4, 0]);
});

test('[A28.2] does not cool down a channel when clients disconnect before the response headers', async () => {
  const scene = await sceneWith([() => undefined, completion()], {});
  const chat = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] };
  for (let count = 1; count <= 4; count += 1) {
    await leaveAfter(scene, count, '/v1/chat/completions', { ...chat, stream: count % 2 === 0 });
  }
  expect(scene.upstreams.map(({ received }) => received.length)).toEqual([4, 0]);
});

test('[A4.1] does not charge a client that disconnects while an upstream error is being read', async () => {
  const refusing: UpstreamHandler = (response) => {
    response.writeHead(500, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"error":');
  };
  const scene = await sceneWith([refusing], {});
  const chat = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] };
  const log = await leaveAfter(scene, 1, '/v1/chat/completions', chat);
  expect(log).toMatchObject({ type: 5, content: 'Client disconnected', quota: 0 });
});
