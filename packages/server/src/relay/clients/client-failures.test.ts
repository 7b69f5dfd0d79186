import { logType } from '@headgate/contract';
import {
  completion,
  done,
  embeddingResponse,
  plainPrice,
  reply,
  roleChunk,
  stop,
  stream,
  textChunk,
  type UpstreamHandler,
  usageEvent,
} from '@headgate/testkit';
import { ChatOpenAI, DallEAPIWrapper, OpenAIEmbeddings } from '@langchain/openai';
import { APICallError, embed, generateImage, generateText, streamText } from 'ai';
import type { APIError } from 'openai';
import { afterAll, describe, expect, test } from 'vitest';
import { type ClientFixture, clientFixtures, clientsFor, failingOnce } from '../../testing/relay/client-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const scenes = clientFixtures(app);
afterAll(() => scenes.close());

type Clients = ReturnType<typeof clientsFor>;

const messages = [{ role: 'user' as const, content: 'hi' }];
const prompt = 'hi';

/** The same request from each client, without retries. */
const askers: Readonly<Record<string, (clients: Clients, model?: string) => Promise<unknown>>> = {
  openai: ({ openai }, model = 'gpt-4o') => openai.chat.completions.create({ model, messages }),
  'openai, for a stream': ({ openai }, model = 'gpt-4o') =>
    openai.chat.completions.create({ model, messages, stream: true }),
  ai: ({ ai }, model = 'gpt-4o') => generateText({ model: ai(model), prompt, maxRetries: 0 }),
  'ai, for a stream': ({ ai }, model = 'gpt-4o') => streamedText(ai(model)),
  langchain: ({ langchain }, model = 'gpt-4o') => new ChatOpenAI({ ...langchain, model }).invoke(prompt),
  'langchain, for a stream': async ({ langchain }, model = 'gpt-4o') =>
    Array.fromAsync(await new ChatOpenAI({ ...langchain, model }).stream(prompt)),
};

async function streamedText(model: Parameters<typeof streamText>[0]['model'], maxRetries = 0): Promise<string> {
  let failure: unknown;
  const streamed = streamText({
    model,
    prompt,
    maxRetries,
    onError: ({ error }) => {
      failure = error;
    },
  });
  let text = '';
  for await (const part of streamed.textStream) text += part;
  if (failure !== undefined) throw failure;
  return text;
}

/** Normalizes the error of any client. */
async function failureOf(pending: Promise<unknown>) {
  const error = await pending.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (APICallError.isInstance(error)) {
    const { error: reported } = JSON.parse(error.responseBody ?? '{}');
    return { status: error.statusCode, code: reported?.code, message: error.message };
  }
  expect(error).toBeInstanceOf(Error);
  const { status, code, message } = error as APIError;
  return { status, code, message };
}

describe.each(Object.entries(askers))('errors in %s', (_, send) => {
  test('throws 401 for a wrong key', async () => {
    const failure = await failureOf(send(clientsFor(app, 'sk-wrong')));
    expect(failure).toMatchObject({ status: 401, code: 'invalid_api_key' });
  });

  test('throws 402 for insufficient quota before anything is sent', async () => {
    const scene = await scenes.open(completion(), { quota: 10 });
    expect(await failureOf(send(scene))).toMatchObject({ status: 402, code: 'insufficient_user_quota' });
    expect(scene.seen()).toEqual([]);
    const { user, logs, drift } = await scene.books();
    // The rejection is logged as a failure later.
    expect([user.used_quota, logs.filter(({ type }) => type === logType.consumption), drift]).toEqual([0, [], 0]);
  });

  test('throws 404 model_not_found when no channel serves the model', async () => {
    const scene = await scenes.open(completion());
    expect(await failureOf(send(scene, 'nobody-has-it'))).toMatchObject({ status: 404, code: 'model_not_found' });
  });

  test.each([400, 404, 429, 500])("throws the upstream's %i error, and nothing is charged", async (status) => {
    const scene = await scenes.open(reply({ error: { message: 'not so', code: 'why', type: 'theirs' } }, status));
    const failure = await failureOf(send(scene));
    expect(failure).toMatchObject({ status, code: 'why', message: expect.stringContaining('not so (request id: ') });
    const { user, logs, drift } = await scene.books();
    expect(logs).toMatchObject([{ type: 5, quota: 0 }]);
    expect([user.used_quota, drift]).toEqual([0, 0]);
  });
});

describe('truncated streams', () => {
  test.each<[string, (scene: ClientFixture) => Promise<unknown>]>([
    [
      'openai',
      async ({ openai }) =>
        Array.fromAsync(await openai.chat.completions.create({ model: 'gpt-4o', messages, stream: true })),
    ],
    [
      'openai’s stream helper',
      ({ openai }) => openai.chat.completions.stream({ model: 'gpt-4o', messages }).finalContent(),
    ],
    ['ai', ({ ai }) => streamedText(ai('gpt-4o'))],
    ['langchain', async ({ langchainChat }) => Array.fromAsync(await langchainChat().stream(prompt))],
  ])('throws in %s, and the delivered part is charged once', async (_, read) => {
    const scene = await scenes.open(stream([roleChunk, textChunk('Hel'), textChunk('lo')], 'cut'));
    await expect(read(scene)).rejects.toThrow(/was interrupted/);
    const { user, logs, drift } = await scene.books();
    expect(logs).toMatchObject([
      { type: 2, is_stream: 1, ended_by: 'upstream', content: expect.stringContaining('was interrupted') },
    ]);
    expect(logs[0]?.quota).toBeGreaterThan(0);
    expect([user.used_quota, drift]).toEqual([logs[0]?.quota, 0]);
  });
});

interface Retried {
  readonly respond: UpstreamHandler;
  readonly price: number;
  readonly call: (scene: ClientFixture, key: string) => Promise<unknown>;
  readonly result?: unknown;
}

const wholeStream = stream([roleChunk, textChunk('Hel'), textChunk('lo'), stop, usageEvent, done]);
const packed = Buffer.from('not really a picture').toString('base64');
const image = reply({ created: 1, data: [{ b64_json: packed }] });
const file = () => new File([Buffer.from('RIFF not really sound')], 'talk.wav', { type: 'audio/wav' });
const twice = { maxRetries: 2 };
const embeddingPrice = 25;

const retried: Readonly<Record<string, Retried>> = {
  'openai, for a stream': {
    respond: wholeStream,
    price: plainPrice,
    result: 'Hello',
    call: ({ openai }) => openai.chat.completions.stream({ model: 'gpt-4o', messages }, twice).finalContent(),
  },
  'openai, for embeddings': {
    respond: embeddingResponse,
    price: embeddingPrice,
    call: ({ openai }) => openai.embeddings.create({ model: 'gpt-4o', input: 'one' }, twice),
  },
  'openai, for an image': {
    respond: image,
    price: 20_000,
    call: ({ openai }) => openai.images.generate({ model: 'dall-e-3', prompt }, twice),
  },
  'openai, for an image edit': {
    respond: image,
    price: 10_000 * 1.25,
    call: ({ openai }) => openai.images.edit({ model: 'dall-e-2', prompt, image: file() }, twice),
  },
  'openai, for speech': {
    respond: reply('ID3', 200, 'audio/mpeg'),
    price: 38,
    result: 'ID3',
    call: async ({ openai }) =>
      (await openai.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'hello' }, twice)).text(),
  },
  'openai, for a transcript': {
    respond: reply({ text: 'hello', usage: { type: 'duration', seconds: 60 } }),
    price: 3000,
    call: ({ openai }) => openai.audio.transcriptions.create({ model: 'whisper-1', file: file() }, twice),
  },
  'ai, for a stream': {
    respond: wholeStream,
    price: plainPrice,
    result: 'Hello',
    call: ({ ai }) => streamedText(ai('gpt-4o'), 2),
  },
  'ai, for embeddings': {
    respond: embeddingResponse,
    price: embeddingPrice,
    call: ({ ai }) => embed({ model: ai.embeddingModel('gpt-4o'), value: 'one' }),
  },
  'ai, for an image': {
    respond: image,
    price: 20_000,
    call: ({ ai }) => generateImage({ model: ai.imageModel('dall-e-3'), prompt }),
  },
  'langchain, for a stream': {
    respond: wholeStream,
    price: plainPrice,
    call: async ({ langchainChat }) => Array.fromAsync(await langchainChat(twice).stream(prompt)),
  },
  'langchain, for embeddings': {
    respond: embeddingResponse,
    price: embeddingPrice,
    call: ({ langchain }) => new OpenAIEmbeddings({ ...langchain, ...twice, model: 'gpt-4o' }).embedQuery('one'),
  },
  'langchain, for an image': {
    respond: image,
    price: 20_000,
    result: packed,
    call: (_, apiKey) =>
      new DallEAPIWrapper({ apiKey, baseUrl: `${app.url}/v1`, dallEResponseFormat: 'b64_json' }).invoke(prompt),
  },
};

// Concurrent, because the clients wait between their attempts.
describe.concurrent.each(Object.entries(retried))('retries of %s', (_, { respond, price, call, result }) => {
  test.for([429, 503])(
    'recovers from a %i with its own retry, and one response is charged',
    async (status, { expect }) => {
      const models = 'gpt-4o,dall-e-2,dall-e-3,tts-1,whisper-1';
      const scene = await scenes.open(failingOnce(status, respond), { models });
      const got = await call(scene, `sk-${scene.token.key}`);
      if (result !== undefined) expect(got).toBe(result);
      expect(scene.seen()).toHaveLength(2);
      // Charges of several requests are stored together.
      await expect.poll(async () => (await scene.books()).logs.length).toBe(2);
      const { user, logs, drift } = await scene.books();
      expect(logs.map(({ type, quota }) => [type, quota])).toEqual([
        [5, 0],
        [2, price],
      ]);
      expect([user.used_quota, drift]).toEqual([price, 0]);
    },
  );
});

test('openai does not retry a request for a model that is not served', async () => {
  const { openai } = await scenes.open(completion());
  let requestCount = 0;
  const counting = openai.withOptions({
    maxRetries: 2,
    fetch: (...given) => {
      requestCount += 1;
      return fetch(...given);
    },
  });
  expect(await failureOf(counting.files.list())).toMatchObject({ status: 501, code: 'api_not_implemented' });
  expect(requestCount).toBe(1);
});
