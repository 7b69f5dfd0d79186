import { chatResponse, chunk, done, reply, stream, textChunk, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, expect, test } from 'vitest';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const models =
  'claude-sonnet-4-5,gemini-2.5-pro,claude-opus-5,gemini-pro-latest,grok-4,grok-4-fast,grok-4.5,house-model';
const priced = JSON.stringify(Object.fromEntries(models.split(',').map((model) => [model, 1])));
const app = await useTestApp({ options: { ModelRatio: priced, CompletionRatio: priced.replaceAll(':1', ':4') } });

type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

async function sceneOf(quota: number, respond: UpstreamHandler, mapping: object = {}): Promise<Scene> {
  const channel = { models, model_mapping: JSON.stringify(mapping) };
  const scene = await relayFixture(app, { quota, upstreams: [respond], channel });
  scenes.push(scene);
  return scene;
}

const usageOf = (prompt_tokens: number) => ({ prompt_tokens, completion_tokens: 100 });
const using = (prompt: number) => reply({ ...chatResponse(), usage: usageOf(prompt) });
const streaming = (prompt: number) =>
  stream([
    textChunk('Hello'),
    chunk({}, 'stop'),
    `data: ${JSON.stringify({ choices: [], usage: usageOf(prompt) })}\n\n`,
    done,
  ]);

test.each([
  ['claude-sonnet-4-5', 200_000, 200_400],
  ['claude-sonnet-4-5', 200_001, 400_602],
  ['gemini-2.5-pro', 200_000, 200_400],
  ['gemini-2.5-pro', 300_000, 600_600],
  ['gemini-pro-latest', 200_001, 400_602],
  ['grok-4', 128_000, 128_400],
  ['grok-4', 128_001, 256_802],
  ['grok-4-fast', 128_001, 256_802],
  ['grok-4.5', 200_000, 200_400],
  ['grok-4.5', 200_001, 400_802],
  ['claude-opus-5', 300_000, 300_400],
])('[A5.15] %s with a prompt of %i tokens costs %i points, whole and streamed', async (model, prompt, points) => {
  for (const isStream of [false, true]) {
    const scene = await sceneOf(10_000_000, isStream ? streaming(prompt) : using(prompt));
    const response = await scene.chat({ model, stream: isStream, max_tokens: 100 });
    expect(response.status, await response.text()).toBe(200);
    const { user, logs, drift } = await scene.books();
    expect(user.used_quota).toBe(points);
    const { model_ratio, completion_ratio } = JSON.parse(logs[0]?.detail ?? '{}') as Record<string, number>;
    // The log row alone must explain the cost.
    expect((prompt + 100 * (completion_ratio ?? 0)) * (model_ratio ?? 0)).toBe(points);
    expect(drift).toBe(0);
  }
});

test('[A5.15] rejects a long prompt when the balance covers only the standard price', async () => {
  const content = '7 '.repeat(110_000);
  const body = { max_tokens: 100, messages: [{ role: 'user', content }] };
  const scene = await sceneOf(350_000, using(220_000));
  expect((await scene.chat({ model: 'claude-sonnet-4-5', ...body })).status).toBe(402);
  expect((await scene.chat({ model: 'claude-opus-5', ...body })).status).toBe(200);
});

/** The requested or the mapped model may have a surcharge for long prompts. */
const named: readonly (readonly [string, Readonly<Record<string, string>>, number])[] = [
  ['house-model', { 'house-model': 'claude-sonnet-4-5' }, 440_600],
  ['claude-sonnet-4-5', { 'claude-sonnet-4-5': 'the-house-has-it' }, 440_600],
  ['house-model', { 'house-model': 'claude-opus-5' }, 220_400],
  ['house-model', {}, 220_400],
];

test.each(named)(
  "[A5.15] reserves and charges a mapped long prompt at the provider's price: %s with mapping %j",
  async (model, mapping, points) => {
    const content = '7 '.repeat(110_000);
    const body = { model, max_tokens: 100, messages: [{ role: 'user', content }] };
    const scene = await sceneOf(10_000_000, using(220_000), mapping);
    expect((await scene.chat(body)).status).toBe(200);
    expect((await scene.books()).user.used_quota).toBe(points);
    const poor = await sceneOf(350_000, using(220_000), mapping);
    expect((await poor.chat(body)).status).toBe(points > 350_000 ? 402 : 200);
  },
);

test('[A5.15] reserves for the most expensive of several channels with different model mappings', async () => {
  const scene = await sceneOf(350_000, using(220_000));
  const [upstream] = scene.upstreams;
  const mapped = { models, model_mapping: JSON.stringify({ 'house-model': 'gemini-2.5-pro' }), priority: -1 };
  await createChannel(scene.admin, scene.group, upstream?.url ?? '', mapped);
  const body = { max_tokens: 100, messages: [{ role: 'user', content: '7 '.repeat(110_000) }] };
  expect((await scene.chat({ model: 'house-model', ...body })).status).toBe(402);
});
