import { optionApi } from '@headgate/contract';
import { type JsonObject, objectAt } from '@headgate/dialects';
import {
  chatResponse,
  chunk,
  done,
  reply,
  silentWav,
  stream,
  textChunk,
  type UpstreamHandler,
} from '@headgate/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { clientsOf, wireRows } from '../../testing/relay/matrix/index.ts';
import { useMatrixFixtures } from '../../testing/relay/matrix/matrix-fixture.ts';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { documents, query, rerankWires } from '../../testing/relay/rerank-wires.ts';
import { useTestApp } from '../../testing/test-app.ts';

/** Points per token of each part, and per request. */
const points = {
  input: 1,
  cached: 0.2,
  cachedAudio: 0.6,
  cachedImage: 0.4,
  written: 1.25,
  writtenLong: 2,
  audio: 10,
  image: 2,
  output: 4,
  reasoning: 6,
  audioOutput: 20,
  imageOutput: 32,
  call: 100,
};
type Part = keyof typeof points;

const own = 'own';
const ocrModel = 'mistral-ocr-latest';
const units = ['dall-e-3', 'gpt-image-1', 'tts-1', 'whisper-1', ocrModel, ...rerankWires.map(({ model }) => model)];
const each = (ratio: number, names = [own, ...wireRows.map(({ model }) => model)]) =>
  JSON.stringify(Object.fromEntries(names.map((name) => [name, ratio])));

const app = await useTestApp({
  options: {
    ModelRatio: each(1, [own, ...wireRows.map(({ model }) => model), ...units]),
    CompletionRatio: each(4),
    CacheReadRatio: each(0.2),
    CacheWriteRatio: each(1.25),
    CacheLongWriteRatio: each(2),
    ReasoningRatio: each(1.5),
    AudioRatio: each(10),
    CachedAudioRatio: each(3),
    AudioOutputRatio: each(5),
    ImageRatio: each(2),
    CachedImageRatio: each(2),
    ImageOutputRatio: each(8),
    FlexRatio: each(0.5),
    PriorityRatio: each(2),
    CallRatio: each(0.1, [own, ...wireRows.map(({ model }) => model), ...units]),
  },
});
const matrixFixture = useMatrixFixtures(app);
const scenes: Awaited<ReturnType<typeof relayFixture>>[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

const sumOf = (tokens: Partial<Record<Part, number>>): number =>
  Math.ceil((Object.entries(tokens) as [Part, number][]).reduce((sum, [part, count]) => sum + count * points[part], 0));

async function sceneOf(respond: UpstreamHandler, channel: Readonly<Record<string, unknown>>) {
  const scene = await relayFixture(app, { upstreams: [respond], channel, quota: 100_000_000 });
  scenes.push(scene);
  return scene;
}

/** Charge of a served request, with the ledger balanced. */
async function chargeOf(
  respond: UpstreamHandler,
  channel: Readonly<Record<string, unknown>>,
  send: [path: string, body: object | FormData],
) {
  const scene = await sceneOf(respond, channel);
  const [path, body] = send;
  const authorization = `Bearer sk-${scene.token.key}`;
  const form = body instanceof FormData ? { body, headers: { authorization } } : {};
  const response = await scene.post(path, body, form);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  const { user, logs, drift } = await scene.books();
  expect(drift).toBe(0);
  expect(user.used_quota).toBe(logs[0]?.quota);
  return user.used_quota;
}

describe('tokens, cached tokens, reasoning and price per request', () => {
  it.each(wireRows.map((row) => [row.name, row] as const))('are charged on the wire of %s', async (_, row) => {
    const { scene, say, ask } = await matrixFixture(row);
    for (const isStream of [false, true]) {
      say({ text: 'Hello', reasoning: 'Hm' }, isStream);
      const [client] = clientsOf(row);
      if (!client) throw new Error(`no dialect works with ${row.name}`);
      await ask(client, { model: row.model, isStream, turns: [{ user: 'hi' }] });
      const { logs, drift } = await scene.books();
      const log = logs.at(-1);
      const { prompt_tokens = 0, completion_tokens = 0, cached_tokens: cached = 0 } = log ?? {};
      const { reasoning_tokens: reasoning = 0 } = log ?? {};
      expect([prompt_tokens, completion_tokens, drift], `stream: ${isStream}`).toEqual([10, 5, 0]);
      // Cache writes cost as much as input, because the request does not enable caching.
      const input = prompt_tokens - cached;
      const output = completion_tokens - reasoning;
      expect(log?.quota, `stream: ${isStream}`).toBe(sumOf({ input, cached, output, reasoning, call: 1 }));
    }
  });
});

const image = 'data:image/png;base64,iVBORw0KGgo=';
const wav = silentWav(8000, 80_000);
const chat = (extra: object = {}) => ({
  model: own,
  max_tokens: 5000,
  ...extra,
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'x'.repeat(3000) },
        { type: 'image_url', image_url: { url: image } },
        { type: 'input_audio', input_audio: { data: wav, format: 'wav' } },
      ],
    },
  ],
});

const openaiUsage = {
  prompt_tokens: 3000,
  completion_tokens: 1000,
  total_tokens: 4000,
  prompt_tokens_details: {
    ...{ cached_tokens: 700, audio_tokens: 900, image_tokens: 800 },
    cached_tokens_details: { text_tokens: 400, audio_tokens: 200, image_tokens: 100 },
  },
  completion_tokens_details: { reasoning_tokens: 300, audio_tokens: 200, image_tokens: 100 },
};
/** Each token counted once. */
const allParts = {
  ...{ input: 1300 - 400, cached: 400, cachedAudio: 200, cachedImage: 100, audio: 700, image: 700 },
  ...{ output: 400, reasoning: 300, audioOutput: 200, imageOutput: 100, call: 1 },
};

const modality = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).map(([name, tokenCount]) => ({ modality: name, tokenCount }));
const geminiUsage = {
  promptTokenCount: 3000,
  candidatesTokenCount: 700,
  thoughtsTokenCount: 300,
  cachedContentTokenCount: 700,
  totalTokenCount: 4000,
  promptTokensDetails: modality({ TEXT: 1300, AUDIO: 900, IMAGE: 800 }),
  cacheTokensDetails: modality({ TEXT: 400, AUDIO: 200, IMAGE: 100 }),
  candidatesTokensDetails: modality({ TEXT: 400, AUDIO: 200, IMAGE: 100 }),
};
const geminiResponse = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: geminiUsage,
};
const inEvents = (...events: object[]) => stream(events.map((event) => `data: ${JSON.stringify(event)}\n\n`));

const responsesInput = [
  {
    role: 'user',
    content: [
      { type: 'input_text', text: 'x'.repeat(3000) },
      { type: 'input_image', image_url: image },
    ],
  },
];
const responsesResponse = {
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: own,
  output: [
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
    },
  ],
  usage: {
    input_tokens: 3000,
    input_tokens_details: { cached_tokens: 700, image_tokens: 800, cached_tokens_details: { image_tokens: 100 } },
    output_tokens: 1000,
    output_tokens_details: { reasoning_tokens: 300, image_tokens: 100 },
    total_tokens: 4000,
  },
};
const responsesParts = {
  ...{ input: 1600, cached: 600, cachedImage: 100, image: 700, output: 600, reasoning: 300, imageOutput: 100, call: 1 },
};

describe('audio and image tokens, cached and not', () => {
  const openai = { type: 1, models: own };
  const gemini = { type: 24, models: own };
  const streamed = stream([
    textChunk('Hello'),
    chunk({}, 'stop'),
    `data: ${JSON.stringify({ choices: [], usage: openaiUsage })}\n\n`,
    done,
  ]);
  it.each([
    ['OpenAI chat, whole', reply({ ...chatResponse(), usage: openaiUsage }), openai, chat()],
    ['OpenAI chat, streamed', streamed, openai, chat({ stream: true })],
    ['Gemini, whole', reply(geminiResponse), gemini, chat()],
    ['Gemini, streamed', inEvents(geminiResponse), gemini, chat({ stream: true })],
  ])('%s', async (_, respond, channel, body) => {
    expect(await chargeOf(respond, channel, ['/v1/chat/completions', body])).toBe(sumOf(allParts));
  });

  it.each([
    ['flex', 0.5],
    ['priority', 2],
  ])('at the service tier %s, all parts follow its price', async (tier, factor) => {
    const respond = reply({ ...chatResponse(), usage: openaiUsage, service_tier: tier });
    const charge = await chargeOf(respond, openai, ['/v1/chat/completions', chat({ service_tier: tier })]);
    expect(charge).toBe(Math.ceil(sumOf(allParts) * factor));
  });

  it('OpenAI responses, whole and streamed', async () => {
    const body = { model: own, max_output_tokens: 5000, input: responsesInput };
    const completed = inEvents({ type: 'response.completed', response: responsesResponse });
    for (const [respond, extra] of [
      [reply(responsesResponse), {}],
      [completed, { stream: true }],
    ] as const) {
      const charge = await chargeOf(respond, openai, ['/v1/responses', { ...body, ...extra }]);
      expect(charge).toBe(sumOf(responsesParts));
    }
  });

  it.each([
    ['audio that was not sent costs as much as text', { messages: [{ role: 'user', content: 'x'.repeat(3000) }] }],
  ])('%s', async (_, body) => {
    const usage = { prompt_tokens: 3000, completion_tokens: 10, prompt_tokens_details: { audio_tokens: 2000 } };
    const respond = reply({ ...chatResponse(), usage });
    expect(await chargeOf(respond, openai, ['/v1/chat/completions', { ...chat(), ...body }])).toBe(3000 + 40 + 100);
  });

  it.each([
    [
      'audio, images and cached tokens above the prompt',
      { audio_tokens: 3000, image_tokens: 3000, cached_tokens: 3000 },
    ],
    ['negative details', { audio_tokens: -5, image_tokens: -1e9, cached_tokens: -1 }],
    ['huge details', { audio_tokens: 1e300, image_tokens: 1e15, cached_tokens: 1e15 }],
    ['details of another type', { audio_tokens: '7', image_tokens: {}, cached_tokens: [], video_tokens: 9 }],
  ])('the cost of %s is never negative or above the reservation', async (_, details) => {
    const usage = { ...openaiUsage, prompt_tokens_details: { ...details, cached_tokens_details: details } };
    for (const respond of [reply({ ...chatResponse(), usage })]) {
      const charge = await chargeOf(respond, openai, ['/v1/chat/completions', chat()]);
      expect(charge).toBeGreaterThanOrEqual(0.2 * 3000 + sumOf({ output: 400, reasoning: 300, call: 1 }));
      expect(charge).toBeLessThanOrEqual(10 * 3000 + sumOf({ imageOutput: 1000, call: 1 }));
    }
  });
});

describe('units besides tokens, with a price per request', () => {
  const picture = (usage?: object) => reply({ created: 1, data: [{ b64_json: 'QQ==' }], ...(usage && { usage }) });
  const imageTokens = {
    ...{ input_tokens: 60, output_tokens: 1056, total_tokens: 1116 },
    input_tokens_details: { text_tokens: 20, image_tokens: 40 },
  };
  it.each([
    ['an image', picture(), { model: 'dall-e-3' }, 1000],
    ['an image by size and quality', picture(), { model: 'dall-e-3', size: '1792x1024', quality: 'hd' }, 3000],
    [
      'image tokens reported by the images endpoint',
      picture(imageTokens),
      { model: 'gpt-image-1', size: '1024x1024', quality: 'medium' },
      Math.ceil(1056 + 20 * (5 / 40) + 40 * (10 / 40)),
    ],
  ])('%s', async (_, respond, body, expected) => {
    const channel = { type: 1, models: body.model };
    const charge = await chargeOf(respond, channel, ['/v1/images/generations', { prompt: 'a', ...body }]);
    expect(charge).toBe(expected + points.call);
  });

  it('characters of speech', async () => {
    const body = { model: 'tts-1', voice: 'alloy', input: 'hello' };
    const respond = reply('ID3', 200, 'audio/mpeg');
    expect(await chargeOf(respond, { type: 1, models: 'tts-1' }, ['/v1/audio/speech', body])).toBe(5 + points.call);
  });

  it('seconds of audio', async () => {
    const form = new FormData();
    form.set('model', 'whisper-1');
    form.set('response_format', 'verbose_json');
    form.set('file', new File([Buffer.from(wav, 'base64')], 'a.wav'));
    const respond = reply({ text: '', duration: 10, usage: { type: 'duration', seconds: 10 } });
    const charge = await chargeOf(respond, { type: 1, models: 'whisper-1' }, ['/v1/audio/transcriptions', form]);
    expect(charge).toBe(Math.ceil((10 * 200) / 60) + points.call);
  });

  it.each([8, 28])('pages of documents on a channel of type %i', async (type) => {
    const body = { model: ocrModel, document: { type: 'document_url', document_url: 'https://docs.example/a.pdf' } };
    const pages = [0, 1, 2].map((index) => ({ index, markdown: 'Hi' }));
    const respond = reply({ model: ocrModel, pages, usage_info: { pages_processed: 3, doc_size_bytes: 1000 } });
    expect(await chargeOf(respond, { type, models: ocrModel }, ['/v1/ocr', body])).toBe(3 * 1000 + points.call);
  });

  it.each(rerankWires.map((wire) => [wire.name, wire] as const))(
    'charges reranking by %s in its own unit',
    async (_, wire) => {
      const { type, model, key, respond, reported } = wire;
      const body = { model, query, documents, top_n: 2, return_documents: true };
      const charge = await chargeOf(respond, { type, models: model, key }, ['/v1/rerank', body]);
      expect(charge).toBe(('prompt' in reported ? reported.prompt : reported.units) + points.call);
    },
  );
});

describe('peak and off-peak hours', () => {
  const setHours = (scene: Awaited<ReturnType<typeof sceneOf>>, value: string) =>
    scene.admin.call(optionApi.update, { body: { key: 'PriceHours', value } });

  it('multiply the price of every unit, part, tier and request', async () => {
    const scene = await sceneOf(reply(''), { type: 1, models: own });
    const allDay = (multiplier: number) => [{ from: '00:00', to: '00:00', multiplier }];
    await setHours(scene, JSON.stringify({ '*': allDay(0.5), own: allDay(3) }));
    try {
      const pictured = reply({ created: 1, data: [{ b64_json: 'QQ==' }] });
      const hd = { model: 'dall-e-3', prompt: 'a', size: '1792x1024', quality: 'hd' };
      const charged = {
        image: await chargeOf(pictured, { type: 1, models: 'dall-e-3' }, ['/v1/images/generations', hd]),
        speech: await chargeOf(reply('ID3', 200, 'audio/mpeg'), { type: 1, models: 'tts-1' }, [
          '/v1/audio/speech',
          { model: 'tts-1', voice: 'alloy', input: 'x'.repeat(1000) },
        ]),
        parts: await chargeOf(reply({ ...chatResponse(), usage: openaiUsage }), { type: 1, models: own }, [
          '/v1/chat/completions',
          chat(),
        ]),
        flexParts: await chargeOf(
          reply({ ...chatResponse(), usage: openaiUsage, service_tier: 'flex' }),
          { type: 1, models: own },
          ['/v1/chat/completions', chat({ service_tier: 'flex' })],
        ),
      };
      expect(charged).toEqual({
        image: (3000 + points.call) * 0.5,
        speech: (1000 + points.call) * 0.5,
        parts: sumOf(allParts) * 3,
        flexParts: sumOf(allParts) * 0.5 * 3,
      });
    } finally {
      await setHours(scene, '');
    }
  });
});

it('a model with only a per-request price costs nothing if the request fails, and only that price if it succeeds', async () => {
  const body = { model: own, messages: [{ role: 'user', content: 'hi' }] };
  const failing = await sceneOf(reply({ error: { message: 'no' } }, 500), { type: 1, models: own });
  await failing.post('/v1/chat/completions', body);
  expect((await failing.books()).user.used_quota).toBe(0);
  const usage = { prompt_tokens: 10, completion_tokens: 0, total_tokens: 10 };
  const scene = await sceneOf(reply({ ...chatResponse(), usage }), { type: 1, models: own });
  await scene.post('/v1/chat/completions', body);
  const { logs } = await scene.books();
  const detail: JsonObject = JSON.parse(logs[0]?.detail ?? '{}');
  expect(objectAt({ detail }, 'detail')).toMatchObject({ call_points: points.call });
});
