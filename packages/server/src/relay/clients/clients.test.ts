import { optionApi } from '@headgate/contract';
import {
  chatResponse,
  chunk,
  completion,
  done,
  embeddingResponse,
  imageUrl,
  plainPrice,
  reply,
  roleChunk,
  stop,
  stream,
  textChunk,
  type UpstreamHandler,
  usageEvent,
  weatherCall,
  weatherCallChunks,
  weatherTool,
} from '@headgate/testkit';
import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
} from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { afterAll, describe, expect, test } from 'vitest';
import { relayFixture } from '../../testing/relay/relay-fixture.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

type Scene = Awaited<ReturnType<typeof relayFixture>>;
const scenes: Scene[] = [];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

async function openaiWith(upstreams: UpstreamHandler[], options: Parameters<typeof relayFixture>[1] = {}) {
  const scene = await relayFixture(app, { upstreams, ...options });
  scenes.push(scene);
  const client = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: `sk-${scene.token.key}`, maxRetries: 0 });
  return { scene, client, seen: () => scene.upstreams[0]?.received ?? [] };
}

const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: 'hi' }];

describe('openai', () => {
  test('reads a chat response', async () => {
    const { client, scene } = await openaiWith([completion()]);
    const response = await client.chat.completions.create({ model: 'gpt-4o', messages });
    expect(response.choices[0]?.message.content).toBe('Hello');
    expect(response.usage?.total_tokens).toBe(15);
    expect(response._request_id).toBe((await scene.books()).logs[0]?.request_id);
  });

  test('reads a stream with and without usage', async () => {
    const { client, scene } = await openaiWith([
      stream([roleChunk, textChunk('Hel'), textChunk('lo'), stop, usageEvent, done]),
    ]);
    const plain = await client.chat.completions.create({ model: 'gpt-4o', messages, stream: true });
    const events = await Array.fromAsync(plain);
    expect(events.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Hello');
    expect(events.some(({ usage }) => usage)).toBe(false);
    const counted = await client.chat.completions.create({
      model: 'gpt-4o',
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    expect((await Array.fromAsync(counted)).at(-1)?.usage?.total_tokens).toBe(15);
    const helped = client.chat.completions.stream({ model: 'gpt-4o', messages });
    expect(await helped.finalContent()).toBe('Hello');
    expect((await scene.books()).user.used_quota).toBe(3 * plainPrice);
  });

  test('exchanges a tool call and its result, whole and streamed', async () => {
    const { client, scene, seen } = await openaiWith([reply(chatResponse(weatherCall, 'tool_calls'))]);
    const firstReply = await client.chat.completions.create({ model: 'gpt-4o', messages, tools: [weatherTool] });
    const [message] = firstReply.choices.map((choice) => choice.message);
    expect(message?.tool_calls).toMatchObject([{ id: 'call_1', function: { arguments: '{"city":"Oslo"}' } }]);
    const result = { role: 'tool', tool_call_id: 'call_1', content: 'rain' } as const;
    const history = [...messages, message as ChatCompletionMessageParam, result];
    await client.chat.completions.create({ model: 'gpt-4o', messages: history, tools: [weatherTool] });
    expect(seen()[1]?.body).toMatchObject({ messages: [{}, weatherCall, result], tools: [weatherTool] });
    const [upstream] = scene.upstreams;
    if (upstream) upstream.handler = stream([...weatherCallChunks, chunk({}, 'tool_calls'), usageEvent, done]);
    const streamed = client.chat.completions.stream({ model: 'gpt-4o', messages, tools: [weatherTool] });
    const final = await streamed.finalMessage();
    expect(final.tool_calls).toMatchObject([
      { id: 'call_1', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
    ]);
  });

  test('forwards JSON mode and an image', async () => {
    const { client, seen } = await openaiWith([reply(chatResponse({ content: '{"a":1}' }))]);
    const response = await client.chat.completions.parse({
      model: 'gpt-4o',
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'x', strict: true, schema: { type: 'object', properties: { a: { type: 'number' } } } },
      },
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: imageUrl, detail: 'low' } }] }],
    });
    expect(response.choices[0]?.message.parsed).toEqual({ a: 1 });
    expect(seen()[0]?.body).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true } },
      messages: [{ content: [{ image_url: { url: imageUrl, detail: 'low' } }] }],
    });
  });

  test('reads embeddings in its default encoding', async () => {
    const { client, scene, seen } = await openaiWith([embeddingResponse]);
    const { data, usage } = await client.embeddings.create({ model: 'gpt-4o', input: ['one', 'two'] });
    expect(data[0]?.embedding).toEqual([0.5, -1]);
    expect(usage.total_tokens).toBe(10);
    expect(seen()[0]).toMatchObject({ path: '/v1/embeddings', body: { encoding_format: 'base64' } });
    expect((await scene.books()).logs).toMatchObject([{ prompt_tokens: 10, completion_tokens: 0, quota: 25 }]);
  });

  test('lists and retrieves models', async () => {
    const { client } = await openaiWith([completion()]);
    const listed = await Array.fromAsync(client.models.list());
    expect(listed.map(({ id }) => id)).toEqual(['gpt-3.5-turbo', 'gpt-4o']);
    expect(await client.models.retrieve('gpt-4o')).toMatchObject({ id: 'gpt-4o', object: 'model' });
    await expect(client.models.retrieve('nobody')).rejects.toThrow(NotFoundError);
  });
});

describe('error classes of openai', () => {
  const send = (client: OpenAI, more: object = {}) =>
    client.chat.completions.create({ model: 'gpt-4o', messages, ...more });

  test('throws AuthenticationError for a wrong key', async () => {
    const client = new OpenAI({ baseURL: `${app.url}/v1`, apiKey: 'sk-wrong', maxRetries: 0 });
    await expect(send(client)).rejects.toThrow(AuthenticationError);
    await expect(send(client)).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
  });

  test('throws an error with status 402 for insufficient quota', async () => {
    const { client } = await openaiWith([completion()], { quota: 10 });
    const failure = await send(client).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(APIError);
    expect(failure).toMatchObject({ status: 402, code: 'insufficient_user_quota', type: 'headgate_error' });
    expect((failure as APIError).requestID).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    [400, BadRequestError],
    [404, NotFoundError],
    [429, RateLimitError],
    [500, InternalServerError],
  ])('throws the matching class for %s from the upstream', async (status, errorClass) => {
    const { client } = await openaiWith([reply({ error: { message: 'no', code: 'why', param: null } }, status)]);
    const failure = await send(client).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(errorClass);
    expect(failure).toMatchObject({ status, code: 'why', message: expect.stringContaining('no (request id: ') });
  });

  test('throws BadRequestError for 400 from the gateway', async () => {
    const { client } = await openaiWith([completion()]);
    await expect(send(client, { n: 1000 })).rejects.toThrow(BadRequestError);
  });

  test('throws for a mid-stream error', async () => {
    const { client } = await openaiWith([stream([textChunk('Hel')], 'cut')]);
    const events = await client.chat.completions.create({ model: 'gpt-4o', messages, stream: true });
    await expect(Array.fromAsync(events)).rejects.toThrow(APIError);
  });

  test.each([429, 500, 503])('recovers from %s with its own retries', async (status) => {
    const { client, scene, seen } = await openaiWith([reply({})]);
    const root = await app.signedIn('root', '123456');
    await root.call(optionApi.update, { body: { key: 'RetryTimes', value: '0' } });
    const [upstream] = scene.upstreams;
    if (!upstream) throw new Error('no upstream');
    upstream.handler = (response, request) => {
      if (seen().length > 1) return completion()(response, request);
      response.writeHead(status, { 'retry-after': '0', 'content-type': 'application/json' });
      response.end('{"error":{"message":"later"}}');
      return undefined;
    };
    const result = await send(client.withOptions({ maxRetries: 2 }));
    expect(result.choices[0]?.message.content).toBe('Hello');
    expect(seen()).toHaveLength(2);
    expect((await scene.books()).user.used_quota).toBe(plainPrice);
  });
});
