import {
  done,
  embeddingResponse,
  plainPrice,
  reply,
  stream,
  type UpstreamHandler,
  usageEvent,
} from '@headgate/testkit';
import { OpenAI as LangchainCompletions, OpenAIEmbeddings } from '@langchain/openai';
import { embed, embedMany, generateText, streamText } from 'ai';
import { afterAll, describe, expect, test } from 'vitest';
import { clientFixtures } from '../../testing/relay/client-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const scenes = clientFixtures(app);
afterAll(() => scenes.close());

/** Price of ten prompt tokens without output. */
const promptPrice = 25;

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const completionOf = (text: string, finishReason: string | null = null) => ({
  id: 'cmpl-1',
  object: 'text_completion',
  created: 1,
  model: 'gpt-4o',
  choices: [{ index: 0, text, finish_reason: finishReason, logprobs: null }],
});
const pieceOf = (text: string, finishReason: string | null = null) =>
  `data: ${JSON.stringify(completionOf(text, finishReason))}\n\n`;

/** Whole or streamed, as requested. */
const completing: UpstreamHandler = (response, request) => {
  const whole = reply({ ...completionOf('Hello', 'stop'), usage });
  const pieces = stream([pieceOf('Hel'), pieceOf('lo'), pieceOf('', 'stop'), usageEvent, done]);
  return (request.body['stream'] === true ? pieces : whole)(response, request);
};

describe('text completions', () => {
  const path = '/v1/completions';

  test('openai completes text, whole and streamed', async () => {
    const { openai, seen, books } = await scenes.open(completing);
    const requestBody = { model: 'gpt-4o', prompt: 'hi', suffix: '!' };
    expect((await openai.completions.create(requestBody)).choices[0]?.text).toBe('Hello');
    const plain = await Array.fromAsync(await openai.completions.create({ ...requestBody, stream: true }));
    expect(plain.map(({ choices }) => choices[0]?.text).join('')).toBe('Hello');
    expect(plain.some((event) => event.usage)).toBe(false);
    const counted = { ...requestBody, stream: true, stream_options: { include_usage: true } } as const;
    expect((await Array.fromAsync(await openai.completions.create(counted))).at(-1)?.usage).toEqual(usage);
    expect(seen()).toMatchObject([{ path, body: requestBody }, { path }, { path, body: counted }]);
    const { user, logs, drift } = await books();
    expect(logs.map(({ is_stream, quota }) => [is_stream, quota])).toEqual([
      [0, plainPrice],
      [1, plainPrice],
      [1, plainPrice],
    ]);
    expect([user.used_quota, drift]).toEqual([3 * plainPrice, 0]);
  });

  test('ai with @ai-sdk/openai-compatible completes text, whole and streamed', async () => {
    const { ai, seen, books } = await scenes.open(completing);
    const model = ai.completionModel('gpt-4o');
    const whole = await generateText({ model, prompt: 'hi' });
    expect([whole.text, whole.usage.totalTokens]).toEqual(['Hello', 15]);
    const streamed = streamText({ model, prompt: 'hi' });
    expect([await streamed.text, (await streamed.usage).totalTokens]).toEqual(['Hello', 15]);
    expect(seen()).toMatchObject([{ path }, { path, body: { stream: true } }]);
    expect((await books()).user.used_quota).toBe(2 * plainPrice);
  });

  test('@langchain/openai completes text, with and without streaming', async () => {
    // LangChain rejects chat models that it recognizes by name.
    const name = 'gpt-3.5-turbo-instruct';
    const { langchain, seen, books } = await scenes.open(completing, { models: name });
    const model = new LangchainCompletions({ ...langchain, model: name });
    expect(await model.invoke('hi')).toBe('Hello');
    expect((await Array.fromAsync(await model.stream('hi'))).join('')).toBe('Hello');
    expect(seen()).toMatchObject([{ path }, { path, body: { stream: true } }]);
    // (10 + 5 × 4/3) × 0.75, rounded up.
    const instructPrice = 13;
    expect((await books()).user.used_quota).toBe(2 * instructPrice);
  });
});

describe('embeddings', () => {
  const path = '/v1/embeddings';

  test('openai reads embeddings as floats and sends token ids', async () => {
    const { openai, seen, books } = await scenes.open(embeddingResponse);
    const requestBody = { model: 'gpt-4o', input: [[1, 2, 3]], encoding_format: 'float', dimensions: 2 } as const;
    const { data } = await openai.embeddings.create({ ...requestBody, input: [[1, 2, 3]] });
    expect(data[0]?.embedding).toEqual([0.5, -1]);
    expect(seen()).toMatchObject([{ path, body: requestBody }]);
    expect((await books()).logs).toMatchObject([{ quota: promptPrice, prompt_tokens: 10, completion_tokens: 0 }]);
  });

  test('ai with @ai-sdk/openai-compatible embeds one and many values', async () => {
    const { ai, seen, books } = await scenes.open(embeddingResponse);
    const model = ai.embeddingModel('gpt-4o');
    const one = await embed({ model, value: 'one' });
    expect([one.embedding, one.usage.tokens]).toEqual([[0.5, -1], 10]);
    const many = await embedMany({ model, values: ['one', 'two', 'three'] });
    expect(many.embeddings).toEqual([
      [0.5, -1],
      [0.5, -1],
      [0.5, -1],
    ]);
    expect(seen()).toMatchObject([{ path }, { path, body: { input: ['one', 'two', 'three'] } }]);
    expect((await books()).user.used_quota).toBe(2 * promptPrice);
  });

  test('@langchain/openai embeds a query, and documents in batches', async () => {
    const { langchain, seen, books } = await scenes.open(embeddingResponse);
    const embeddings = new OpenAIEmbeddings({ ...langchain, model: 'gpt-4o', batchSize: 2 });
    expect(await embeddings.embedQuery('one')).toEqual([0.5, -1]);
    expect(await embeddings.embedDocuments(['one', 'two', 'three'])).toHaveLength(3);
    expect(seen().map(({ body }) => [body['input']].flat().length)).toEqual([1, 2, 1]);
    await expect.poll(async () => (await books()).logs).toHaveLength(3);
    const { user, drift } = await books();
    expect([user.used_quota, drift]).toEqual([3 * promptPrice, 0]);
  });
});

// The other two clients support neither models nor moderations.
describe('endpoints that only openai supports', () => {
  test('charges moderations by text length, with an explicit and the default model', async () => {
    const results = [{ flagged: true, categories: { violence: true }, category_scores: { violence: 0.9 } }];
    const models = 'text-moderation-latest,omni-moderation-latest';
    const { openai, seen, books } = await scenes.open(reply({ id: 'modr-1', model: 'x', results }), { models });
    const input = 'some words to look at, '.repeat(100);
    expect((await openai.moderations.create({ input })).results).toMatchObject(results);
    const image = { type: 'image_url', image_url: { url: 'https://images.test/1.png' } } as const;
    const parts = [{ type: 'text' as const, text: input }, image];
    await openai.moderations.create({ model: 'omni-moderation-latest', input: parts });
    expect(seen()).toMatchObject([
      { path: '/v1/moderations', body: { input } },
      { path: '/v1/moderations', body: { model: 'omni-moderation-latest', input: parts } },
    ]);
    const { user, logs, drift } = await books();
    expect(logs).toMatchObject([{ model_name: 'text-moderation-latest' }, { model_name: 'omni-moderation-latest' }]);
    for (const log of logs) expect(log).toMatchObject({ type: 2, completion_tokens: 0 });
    for (const { prompt_tokens } of logs) expect(prompt_tokens).toBeGreaterThan(300);
    expect(user.used_quota).toBe(logs.reduce((sum, { quota }) => sum + quota, 0));
    expect(drift).toBe(0);
  });

  test('lists and retrieves models with a slash in their names', async () => {
    const { openai } = await scenes.open(reply({}), { models: 'meta/llama-3,gpt-4o' });
    const listed = await Array.fromAsync(openai.models.list());
    expect(listed.map(({ id }) => id)).toEqual(['gpt-4o', 'meta/llama-3']);
    expect(await openai.models.retrieve('meta/llama-3')).toMatchObject({ id: 'meta/llama-3', object: 'model' });
  });
});
