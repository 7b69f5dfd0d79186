import { chatResponse, chunk, done, reply, stream, textChunk, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const models = 'gpt-5,claude-sonnet-4-6,grok-4,own';
const each = (ratio: number) => JSON.stringify(Object.fromEntries(models.split(',').map((model) => [model, ratio])));
const app = await useTestApp({
  options: {
    ModelRatio: each(1),
    CompletionRatio: each(4),
    CacheReadRatio: JSON.stringify({ own: 0.2, 'grok-4': 1 }),
    ReasoningRatio: JSON.stringify({ own: 1.5 }),
  },
});

type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

async function sceneOf(quota: number, respond: UpstreamHandler, channel: object = {}): Promise<Scene> {
  const scene = await relayFixture(app, { quota, upstreams: [respond], channel: { models, ...channel } });
  scenes.push(scene);
  return scene;
}

const whole = (usage: object) => reply({ ...chatResponse(), usage });
const inEvents = (usage: object) =>
  stream([textChunk('Hello'), chunk({}, 'stop'), `data: ${JSON.stringify({ choices: [], usage })}\n\n`, done]);

const openaiUsage = {
  prompt_tokens: 1000,
  completion_tokens: 100,
  total_tokens: 1100,
  prompt_tokens_details: { cached_tokens: 800 },
  completion_tokens_details: { reasoning_tokens: 60 },
};

test.each([
  ['gpt-5 with a mostly cached prompt', 'gpt-5', openaiUsage, 200 + 80 + 400],
  ['a model with custom ratios', 'own', openaiUsage, 200 + 160 + 160 + 360],
  ['Grok, which reports reasoning separately', 'grok-4', { ...openaiUsage, total_tokens: 1160 }, 1000 + (100 + 60) * 4],
  [
    'parts that exceed the total as if they were not reported',
    'gpt-5',
    { ...openaiUsage, prompt_tokens_details: { cached_tokens: 1001 } },
    1000 + 400,
  ],
])('charges %s, whole and streamed', async (_, model, usage, points) => {
  for (const isStream of [false, true]) {
    const scene = await sceneOf(1_000_000, isStream ? inEvents(usage) : whole(usage));
    const response = await scene.chat({ model, stream: isStream, max_tokens: 1000 });
    expect(response.status, await response.text()).toBe(200);
    const { user, drift } = await scene.books();
    expect([user.used_quota, drift]).toEqual([points, 0]);
  }
});

const claudeUsage = {
  input_tokens: 100,
  output_tokens: 10,
  cache_creation_input_tokens: 2000,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 500, ephemeral_1h_input_tokens: 1500 },
};
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-6',
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: claudeUsage,
  content: [{ type: 'text', text: 'Hello' }],
};

const requestWith = (ttl: string | undefined) => ({
  model: 'claude-sonnet-4-6',
  max_tokens: 10,
  system: [{ type: 'text', text: 'word '.repeat(2100), ...(ttl && { cache_control: { type: 'ephemeral', ttl } }) }],
  messages: [{ role: 'user', content: 'hi' }],
});

test.each([
  ['kept for an hour', '1h', 100 + 500 * 1.25 + 1500 * 2 + 40],
  ['kept for five minutes', '5m', 100 + 2000 * 1.25 + 40],
  ['that the request does not ask for', undefined, 2100 + 40],
])('charges Claude cache writes %s at the cache write price', async (_, ttl, points) => {
  const scene = await sceneOf(1_000_000, reply(message), { type: 14 });
  const response = await scene.post('/v1/messages', requestWith(ttl));
  expect(response.status, await response.text()).toBe(200);
  expect((await scene.books()).user.used_quota).toBe(points);
});

test('[A5.16] rejects a request if the balance covers the prompt but not the cache write', async () => {
  const scene = await sceneOf(4500, reply(message), { type: 14 });
  expect((await scene.post('/v1/messages', requestWith('1h'))).status).toBe(402);
  expect((await scene.post('/v1/messages', requestWith(undefined))).status).toBe(200);
});
