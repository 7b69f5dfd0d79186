import { chatResponse, completion, reply, type UpstreamHandler } from '@headgate/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { createChannel, relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const ModelRatio = JSON.stringify({ 'house-model(40)': 1, 'house-model': 100 });
const app = await useTestApp({ options: { ModelRatio } });

type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

async function sceneOf(upstream: UpstreamHandler, quota: number, channel: object = {}): Promise<Scene> {
  const scene = await relayFixture(app, { upstreams: [upstream], quota, channel: channel as Record<string, unknown> });
  scenes.push(scene);
  return scene;
}

/** Reports this usage, like an upstream that uses everything the request allows. */
const using = (prompt_tokens: number, completion_tokens: number): UpstreamHandler =>
  reply({ ...chatResponse(), usage: { prompt_tokens, completion_tokens } });

/** Price of gpt-4o. */
const pointsOf = (prompt: number, response: number) => Math.ceil((prompt + response * 4) * 2.5);

/** Every byte is a token in both OpenAI vocabularies. */
const dense = (bytes: number) => '7 '.repeat(bytes / 2);

const chat = '/v1/chat/completions';
const completions = '/v1/completions';
const hi = { messages: [{ role: 'user', content: 'hi' }] };
const requestWith = (message: object) => ({ messages: [{ role: 'user', content: 'hi', ...message }] });

/** Requests with their maximum number of tokens: prompt, and all choices together. */
const cases: readonly [name: string, path: string, body: object, used: readonly [prompt: number, answer: number]][] = [
  ['[A5.2] two limits', chat, { ...hi, max_tokens: 1, max_completion_tokens: 1000 }, [8, 1000]],
  [
    '[A5.2] the larger limit in the other field',
    chat,
    { ...hi, max_tokens: 1000, max_completion_tokens: 1 },
    [8, 1000],
  ],
  ['[A5.2] the larger limit in a vendor field', chat, { ...hi, max_tokens: 1, max_output_tokens: 1000 }, [8, 1000]],
  ['[A5.3] n choices', chat, { ...hi, max_tokens: 100, n: 10 }, [8, 1000]],
  ['[A5.3] best_of choices', completions, { prompt: 'hi', max_tokens: 100, n: 2, best_of: 10 }, [1, 1000]],
  ['[A5.3] several prompts', completions, { prompt: ['a', 'b', 'c', 'd'], max_tokens: 100, n: 3 }, [4, 1200]],
  ['[A5.3] several prompts of token ids', completions, { prompt: [[1], [2, 3]], max_tokens: 500 }, [3, 1000]],
  ['[A5.3] an echoed prompt', completions, { prompt: dense(2000), max_tokens: 10, n: 2, echo: true }, [2000, 4020]],
  ['[A5.4] text next to content', chat, { ...requestWith({ text: dense(4000) }), max_tokens: 5 }, [4008, 5]],
  ['[A5.4] a name', chat, { ...requestWith({ name: dense(4000) }), max_tokens: 5 }, [4008, 5]],
  ['[A5.4] a refusal', chat, { ...requestWith({ refusal: dense(4000) }), max_tokens: 5 }, [4008, 5]],
  ['[A5.4] earlier reasoning', chat, { ...requestWith({ reasoning_content: dense(4000) }), max_tokens: 5 }, [4008, 5]],
  [
    '[A5.4] a legacy function call',
    chat,
    { ...requestWith({ function_call: { arguments: dense(4000) } }), max_tokens: 5 },
    [4008, 5],
  ],
  [
    '[A5.4] a field of any name',
    chat,
    { ...requestWith({ zzz: [{ deep: [dense(4000)] }] }), max_tokens: 5 },
    [4008, 5],
  ],
  ['[A5.4] a field next to the messages', chat, { ...hi, documents: [dense(4000)], max_tokens: 5 }, [4008, 5]],
  ['[A5.4] suffix', completions, { prompt: 'hi', suffix: dense(4000), max_tokens: 5 }, [4001, 5]],
  [
    '[A5.4] a prediction, even if wrong',
    chat,
    { ...hi, prediction: { content: dense(2000) }, max_tokens: 5 },
    [8, 2005],
  ],
  [
    '[A5.5] a file',
    chat,
    { ...requestWith({ content: [{ type: 'file', file: { file_data: dense(4000) } }] }), max_tokens: 5 },
    [4008, 5],
  ],
  [
    '[A5.5] a part of an unknown type',
    chat,
    { ...requestWith({ content: [{ type: 'zzz', zzz: dense(4000) }] }), max_tokens: 5 },
    [4008, 5],
  ],
  [
    '[A5.5] a video URL',
    chat,
    { ...requestWith({ content: [{ type: 'video_url', video_url: { url: 'https://a.example/b' } }] }), max_tokens: 5 },
    [100_000, 5],
  ],
  [
    '[A5.5] sound',
    chat,
    {
      ...requestWith({
        content: [{ type: 'input_audio', input_audio: { format: 'mp3', data: `//${'A'.repeat(159_998)}` } }],
      }),
      max_tokens: 5,
    },
    [4000, 5],
  ],
  [
    '[A5.5] an image',
    chat,
    { ...requestWith({ content: [{ type: 'image_url', image_url: { url: 'https://a.example/b' } }] }), max_tokens: 5 },
    [1500, 5],
  ],
  [
    '[A5.6] tools',
    chat,
    { ...hi, tools: [{ type: 'function', function: { name: 'a', description: dense(4000) } }], max_tokens: 5 },
    [4008, 5],
  ],
  ['[A5.6] functions', chat, { ...hi, functions: [{ name: 'a', description: dense(4000) }], max_tokens: 5 }, [4008, 5]],
  [
    '[A5.6] a schema',
    chat,
    { ...hi, response_format: { type: 'json_schema', json_schema: { name: dense(4000) } }, max_tokens: 5 },
    [4008, 5],
  ],
  ['[A5.7] 2,048 texts to embed', '/v1/embeddings', { input: Array.from({ length: 2048 }, () => '7 7') }, [6144, 0]],
  [
    '[A5.7] texts to moderate',
    '/v1/moderations',
    { input: [dense(2000), { type: 'text', text: dense(2000) }] },
    [4000, 0],
  ],
  [
    '[A5.8] hidden reasoning up to the limit',
    chat,
    { ...hi, max_completion_tokens: 1000, reasoning_effort: 'high' },
    [8, 1000],
  ],
];

describe('reservations before sending', () => {
  test.each(cases)('%s: reserves the maximum usage before sending', async (_, path, body, [prompt, response]) => {
    const cost = pointsOf(prompt, response);
    const poor = await sceneOf(using(prompt, response), cost - 1);
    const rejected = await poor.post(path, { model: 'gpt-4o', ...body });
    expect(rejected.status).toBe(402);
    expect(poor.upstreams[0]?.received).toEqual([]);
    const able = await sceneOf(using(prompt, response), 1_000_000_000);
    expect((await able.post(path, { model: 'gpt-4o', ...body })).status).toBe(200);
    expect((await able.books()).user.used_quota).toBe(cost);
  });

  test("[A5.4] reserves the tokens of the channel's system prompt", async () => {
    const cost = pointsOf(4000, 5);
    const poor = await sceneOf(using(4000, 5), cost - 1, { system_prompt: dense(4000) });
    expect((await poor.chat({ max_tokens: 5 })).status).toBe(402);
  });

  test.each([
    ['first', 2],
    ['last', 0],
  ])(
    '[A5.9] reserves at the price of the most expensive eligible channel, even if it is tried %s',
    async (_, priority) => {
      const cheap = { type: 40, models: 'house-model' };
      const scene = await sceneOf(using(10, 10), 1000, cheap);
      const send = () => scene.chat({ model: 'house-model', max_tokens: 10 });
      expect((await send()).status).toBe(200);
      const url = scene.upstreams[0]?.url ?? '';
      await createChannel(scene.admin, scene.group, url, { models: 'house-model', priority });
      await createChannel(scene.admin, scene.group, url, { ...cheap, priority: 1 });
      const before = scene.upstreams[0]?.received.length;
      expect((await send()).status).toBe(402);
      expect(scene.upstreams[0]?.received).toHaveLength(before ?? 0);
    },
  );

  test('[A5.8] reserves reasoning tokens if the provider does not count them against the limit', async () => {
    const ali = { type: 17, models: 'gpt-4o' };
    const body = { max_tokens: 5, enable_thinking: true, thinking_budget: 1000 };
    const poor = await sceneOf(using(8, 1005), pointsOf(8, 1005) - 1, ali);
    expect((await poor.chat(body)).status).toBe(402);
    expect((await poor.chat({ ...body, enable_thinking: false })).status).toBe(200);
  });
});

test('admits a small request on a small balance, because an ordinary prompt is tokenized instead of estimated by size', async () => {
  const content = 'The quick brown fox jumps over the lazy dog and runs home to have dinner. '.repeat(20);
  const counted = 320;
  const scene = await sceneOf(using(counted, 50), pointsOf(counted + 30, 50));
  const response = await scene.chat({ max_tokens: 50, messages: [{ role: 'user', content }] });
  expect(response.status).toBe(200);
  expect((await scene.books()).user.quota).toBeGreaterThanOrEqual(0);
});

test('reserves an image in the request by image price instead of size', async () => {
  const url = `data:image/png;base64,${'A'.repeat(1_000_000)}`;
  const content = [
    { type: 'image_url', image_url: { url } },
    { type: 'text', text: 'What is it?' },
  ];
  const scene = await sceneOf(using(1500, 5), pointsOf(6000, 5));
  expect((await scene.chat({ max_tokens: 5, messages: [{ role: 'user', content }] })).status).toBe(200);
});

test.each([
  ['an unsupported image size', '/v1/images/generations', { model: 'dall-e-2', prompt: 'a', size: '9x9' }],
  ['more images than the model allows', '/v1/images/generations', { model: 'dall-e-2', prompt: 'a', n: 11 }],
  ['a huge number of images', '/v1/images/generations', { model: 'gpt-4o', prompt: 'a', n: 1e9 }],
])('[A5.7] rejects %s', async (_, path, body) => {
  const scene = await sceneOf(completion(), 1_000_000, { models: 'dall-e-2,gpt-4o' });
  expect((await scene.post(path, body)).status).toBe(400);
  expect(scene.upstreams[0]?.received).toEqual([]);
});

test('[A5.7] accepts empty audio', async () => {
  const scene = await sceneOf(reply({ text: '' }), 1_000_000, { models: 'whisper-1' });
  const body = new FormData();
  body.append('model', 'whisper-1');
  body.append('file', new Blob([]), 'empty.mp3');
  const headers = { authorization: `Bearer sk-${scene.token.key}` };
  const response = await fetch(`${app.url}/v1/audio/transcriptions`, { method: 'POST', headers, body });
  expect(response.status).toBe(200);
  expect(await scene.books()).toMatchObject({ user: { used_quota: 0 }, drift: 0 });
});

/** Deterministic pseudo-random numbers. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** Size of all dense text in a request in bytes, which is its minimum number of tokens. */
function denseIn(value: unknown): number {
  if (typeof value === 'string') return value.startsWith('7 ') ? value.length : 0;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, field) => sum + denseIn(field), 0);
}

test('[A5.9] no request to a compliant upstream costs more than the balance', async () => {
  const seed = 20_261_115;
  const random = seeded(seed);
  const upTo = (max: number) => 1 + Math.floor(random() * max);
  const text = () => dense(2 * upTo(300));
  const maybe = (name: string, value: () => unknown) => (random() < 0.3 ? { [name]: value() } : {});
  const part = () => ({ type: random() < 0.5 ? 'text' : 'strange', ...maybe('text', text), ...maybe('other', text) });
  const message = () => ({
    role: 'user',
    content: random() < 0.5 ? text() : Array.from({ length: upTo(3) }, part),
    ...maybe('name', text),
    ...maybe('text', text),
    ...maybe('reasoning_content', text),
    ...maybe('tool_calls', () => [{ function: { name: 'a', arguments: text() } }]),
    ...maybe(`field${upTo(1000)}`, text),
  });
  const limits = () => ({
    max_tokens: upTo(100),
    ...maybe('max_completion_tokens', () => upTo(200)),
    ...maybe('n', () => upTo(4)),
    ...maybe('best_of', () => upTo(4)),
  });
  const chatBody = () => ({
    messages: Array.from({ length: upTo(3) }, message),
    ...maybe('tools', () => [{ type: 'function', function: { name: 'a', description: text() } }]),
    ...maybe('response_format', () => ({ type: 'json_schema', json_schema: { name: text() } })),
  });
  const completionBody = () => ({ prompt: Array.from({ length: upTo(3) }, text), ...maybe('suffix', text) });
  const obedient: UpstreamHandler = async (response, { body }) => {
    const of = (name: string) => Number(body[name] ?? 0);
    const prompts = Array.isArray(body['prompt']) ? body['prompt'].length : 1;
    const responses = Math.max(1, of('n'), of('best_of')) * prompts;
    const completion_tokens = Math.max(of('max_tokens'), of('max_completion_tokens')) * responses;
    const usage = { prompt_tokens: denseIn(body) + 5, completion_tokens };
    await reply({ ...chatResponse(), usage })(response, {} as never);
  };
  let served = 0;
  for (let round = 0; round < 25; round += 1) {
    const quota = 500 + upTo(12_000);
    const scene = await sceneOf(obedient, quota);
    const pending = Array.from({ length: 4 }, () => {
      const isChat = random() < 0.7;
      const body = { model: 'gpt-4o', ...(isChat ? chatBody() : completionBody()), ...limits() };
      return scene.post(isChat ? chat : completions, body);
    });
    const statuses = (await Promise.all(pending)).map(({ status }) => status);
    served += statuses.filter((status) => status === 200).length;
    const { user, drift } = await scene.books();
    expect(user.quota, `seed ${seed}, round ${round}, ${statuses}`).toBeGreaterThanOrEqual(0);
    expect(drift).toBe(0);
  }
  expect(served).toBeGreaterThan(15);
});
