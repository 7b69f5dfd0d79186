import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  chatResponse,
  chunk,
  completion,
  done,
  embeddingResponse,
  imageUrl,
  plainPrice,
  reply,
  stop,
  stream,
  textChunk,
  type UpstreamHandler,
  usageEvent,
  weatherCall,
  weatherCallChunks,
  weatherTool,
} from '@headgate/testkit';
import { AIMessageChunk, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { APICallError, embed, generateText, jsonSchema, Output, stepCountIs, streamText, tool } from 'ai';
import { afterAll, describe, expect, test } from 'vitest';
import { type ClientFixture, clientFixtures } from '../../testing/relay/client-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

const scenes = clientFixtures(app);
afterAll(() => scenes.close());

const sceneWith = (respond: UpstreamHandler, quota = 1_000_000): Promise<ClientFixture> =>
  scenes.open(respond, { quota });

const seenBy = (scene: ClientFixture) => scene.seen();

/** Calls the tool first and returns text once its result is there. */
const twoSteps =
  (first: UpstreamHandler, second: UpstreamHandler): UpstreamHandler =>
  (response, request) => {
    const messages = request.body['messages'] as { role: string }[];
    return (messages.at(-1)?.role === 'tool' ? second : first)(response, request);
  };

const wholeStream = stream([textChunk('Hel'), textChunk('lo'), stop, usageEvent, done]);
const callStream = stream([...weatherCallChunks, chunk({}, 'tool_calls'), usageEvent, done]);

describe('ai with @ai-sdk/openai-compatible', () => {
  const providerFor = (key: string) =>
    createOpenAICompatible({
      name: 'headgate',
      baseURL: `${app.url}/v1`,
      apiKey: `sk-${key}`,
      includeUsage: true,
      supportsStructuredOutputs: true,
    });
  const modelOf = (scene: ClientFixture) => providerFor(scene.token.key)('gpt-4o');
  const tools = {
    weather: tool({
      description: 'The weather of a city',
      inputSchema: jsonSchema<{ city: string }>(weatherTool.function.parameters),
      execute: async ({ city }) => `rain in ${city}`,
    }),
  };

  test('reads chat and streaming responses with usage', async () => {
    const scene = await sceneWith(completion());
    const { text, usage } = await generateText({ model: modelOf(scene), prompt: 'hi' });
    expect(text).toBe('Hello');
    expect(usage.totalTokens).toBe(15);
    const streaming = await sceneWith(wholeStream);
    const streamed = streamText({ model: modelOf(streaming), prompt: 'hi' });
    expect(await streamed.text).toBe('Hello');
    expect((await streamed.usage).totalTokens).toBe(15);
    expect((await streaming.books()).user.used_quota).toBe(plainPrice);
  });

  test.each([
    ['whole', twoSteps(reply(chatResponse(weatherCall, 'tool_calls')), completion()), generateText],
    ['streamed', twoSteps(callStream, wholeStream), streamText],
  ])('exchanges a tool call and its result, %s', async (_, respond, run) => {
    const scene = await sceneWith(respond);
    const result = await run({ model: modelOf(scene), prompt: 'weather?', tools, stopWhen: stepCountIs(3) });
    expect(await result.text).toBe('Hello');
    expect(seenBy(scene)).toHaveLength(2);
    expect(seenBy(scene)[1]?.body).toMatchObject({
      messages: [{}, { role: 'assistant' }, { role: 'tool', tool_call_id: 'call_1', content: 'rain in Oslo' }],
    });
    expect((await scene.books()).user.used_quota).toBe(2 * plainPrice);
  });

  test('reads JSON and sends an image', async () => {
    const scene = await sceneWith(reply(chatResponse({ content: '{"a":1}' })));
    const { output } = await generateText({
      model: modelOf(scene),
      output: Output.object({
        schema: jsonSchema<{ a: number }>({ type: 'object', properties: { a: { type: 'number' } } }),
      }),
      messages: [{ role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: imageUrl }] }],
    });
    expect(output).toEqual({ a: 1 });
    expect(JSON.stringify(seenBy(scene)[0]?.body)).toContain(imageUrl);
    expect(seenBy(scene)[0]?.body).toHaveProperty('response_format');
  });

  test('reads embeddings', async () => {
    const scene = await sceneWith(embeddingResponse);
    const model = providerFor(scene.token.key).embeddingModel('gpt-4o');
    expect((await embed({ model, value: 'one' })).embedding).toEqual([0.5, -1]);
  });

  test('throws errors and retries', async () => {
    const poor = await sceneWith(completion(), 10);
    const failure = await generateText({ model: modelOf(poor), prompt: 'hi' }).catch((error: unknown) => error);
    expect(APICallError.isInstance(failure)).toBe(true);
    expect(failure).toMatchObject({ statusCode: 402, isRetryable: false });
    const wrong = generateText({ model: providerFor('wrong')('gpt-4o'), prompt: 'hi' });
    await expect(wrong).rejects.toMatchObject({ statusCode: 401, isRetryable: false });
    const busy = await sceneWith((response, request) => {
      const respond = seenBy(busy).length > 1 ? completion() : reply({ error: { message: 'later' } }, 429);
      return respond(response, request);
    });
    expect((await generateText({ model: modelOf(busy), prompt: 'hi', maxRetries: 1 })).text).toBe('Hello');
  });
});

describe('@langchain/openai', () => {
  const modelOf = (scene: ClientFixture, maxRetries = 0) =>
    new ChatOpenAI({
      model: 'gpt-4o',
      apiKey: `sk-${scene.token.key}`,
      maxRetries,
      configuration: { baseURL: `${app.url}/v1` },
    });

  test('reads chat and streaming responses and sends an image', async () => {
    const scene = await sceneWith(completion());
    const image = new HumanMessage({ content: [{ type: 'image_url', image_url: { url: imageUrl } }] });
    const response = await modelOf(scene).invoke([image]);
    expect(response).toMatchObject({ content: 'Hello', usage_metadata: { total_tokens: 15 } });
    expect(JSON.stringify(seenBy(scene)[0]?.body)).toContain(imageUrl);
    const streaming = await sceneWith(wholeStream);
    const pieces = await Array.fromAsync(await modelOf(streaming).stream('hi'));
    expect(pieces.map(({ content }) => content).join('')).toBe('Hello');
  });

  test('exchanges a tool call and its result, whole and streamed', async () => {
    const scene = await sceneWith(twoSteps(reply(chatResponse(weatherCall, 'tool_calls')), completion()));
    const question = new HumanMessage('weather?');
    const call = await modelOf(scene).bindTools([weatherTool]).invoke([question]);
    expect(call.tool_calls).toMatchObject([{ id: 'call_1', name: 'weather', args: { city: 'Oslo' } }]);
    const result = new ToolMessage({ tool_call_id: 'call_1', content: 'rain' });
    expect((await modelOf(scene).invoke([question, call, result])).content).toBe('Hello');
    const streaming = await sceneWith(callStream);
    let whole = new AIMessageChunk('');
    for await (const part of await modelOf(streaming).bindTools([weatherTool]).stream([question]))
      whole = whole.concat(part);
    expect(whole.tool_calls).toMatchObject([{ id: 'call_1', name: 'weather', args: { city: 'Oslo' } }]);
  });

  test('reads structured output', async () => {
    const scene = await sceneWith(reply(chatResponse({ content: '{"a":1}' })));
    const schema = { title: 'x', type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
    expect(await modelOf(scene).withStructuredOutput(schema, { method: 'jsonMode' }).invoke('json please')).toEqual({
      a: 1,
    });
    expect(seenBy(scene)[0]?.body).toMatchObject({ response_format: { type: 'json_object' } });
  });

  test('reads embeddings', async () => {
    const scene = await sceneWith(embeddingResponse);
    const embeddings = new OpenAIEmbeddings({
      model: 'gpt-4o',
      apiKey: `sk-${scene.token.key}`,
      configuration: { baseURL: `${app.url}/v1` },
    });
    expect(await embeddings.embedDocuments(['one', 'two'])).toEqual([
      [0.5, -1],
      [0.5, -1],
    ]);
  });

  test('throws errors and retries', async () => {
    const poor = await sceneWith(completion(), 10);
    await expect(modelOf(poor).invoke('hi')).rejects.toMatchObject({ status: 402 });
    const busy = await sceneWith((response, request) => {
      const respond = seenBy(busy).length > 1 ? completion() : reply({ error: { message: 'later' } }, 500);
      return respond(response, request);
    });
    expect((await modelOf(busy, 2).invoke('hi')).content).toBe('Hello');
    expect((await busy.books()).user.used_quota).toBe(plainPrice);
  });
});
