import {
  chatResponse,
  chunk,
  completion,
  done,
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
import { HumanMessage } from '@langchain/core/messages';
import { generateText, jsonSchema, Output, streamText } from 'ai';
import { afterAll, describe, expect, test } from 'vitest';
import { clientFixtures } from '../../testing/relay/client-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const scenes = clientFixtures(app);
afterAll(() => scenes.close());

const schema = {
  type: 'object',
  properties: { a: { type: 'number' } },
  required: ['a'],
  additionalProperties: false,
} as const;

/** Whole or streamed, as requested. */
const either =
  (whole: UpstreamHandler, pieces: UpstreamHandler): UpstreamHandler =>
  (response, request) =>
    (request.body['stream'] === true ? pieces : whole)(response, request);

const json = either(
  reply(chatResponse({ content: '{"a":1}' })),
  stream([roleChunk, textChunk('{"a"'), textChunk(':1}'), stop, usageEvent, done]),
);

/** Calls the tool first and returns text once its result is there. */
const calling: UpstreamHandler = (response, request) => {
  const messages = request.body['messages'] as { role: string }[];
  const isCalled = messages.at(-1)?.role === 'tool';
  const call = either(
    reply(chatResponse(weatherCall, 'tool_calls')),
    stream([...weatherCallChunks, chunk({}, 'tool_calls'), usageEvent, done]),
  );
  const respond = either(completion(), stream([roleChunk, textChunk('Hello'), stop, usageEvent, done]));
  return (isCalled ? respond : call)(response, request);
};

const toolMessage = { role: 'tool', tool_call_id: 'call_1', content: 'rain in Oslo' };

describe('chat features of openai', () => {
  const messages = [{ role: 'user' as const, content: 'json please' }];

  test('reads JSON without a schema, and with a schema as a stream', async () => {
    const { openai, seen, books } = await scenes.open(json);
    const requestBody = { model: 'gpt-4o', messages, response_format: { type: 'json_object' } } as const;
    const response = await openai.chat.completions.create({ ...requestBody, messages });
    expect(JSON.parse(response.choices[0]?.message.content ?? '')).toEqual({ a: 1 });
    const json_schema = { name: 'x', strict: true, schema };
    const response_format = { type: 'json_schema', json_schema } as const;
    const streamed = openai.chat.completions.stream({ model: 'gpt-4o', messages, response_format });
    expect((await streamed.finalChatCompletion()).choices[0]?.message.parsed).toEqual({ a: 1 });
    expect(seen()).toMatchObject([{ body: requestBody }, { body: { response_format, stream: true } }]);
    const { user, drift } = await books();
    expect([user.used_quota, drift]).toEqual([2 * plainPrice, 0]);
  });

  test.each([false, true])('runs tools in the client, stream: %s', async (isStream) => {
    const { openai, seen, books } = await scenes.open(calling);
    const weather = {
      type: 'function' as const,
      function: {
        ...weatherTool.function,
        parse: JSON.parse as (text: string) => { city: string },
        function: ({ city }: { city: string }) => `rain in ${city}`,
      },
    };
    const requestBody = { model: 'gpt-4o', messages, tools: [weather] };
    const { completions } = openai.chat;
    const runner = isStream
      ? completions.runTools({ ...requestBody, stream: true })
      : completions.runTools(requestBody);
    expect(await runner.finalContent()).toBe('Hello');
    expect(seen()).toHaveLength(2);
    expect(seen()[1]?.body).toMatchObject({ messages: [{}, { role: 'assistant', ...weatherCall }, toolMessage] });
    const { user, drift } = await books();
    expect([user.used_quota, drift]).toEqual([2 * plainPrice, 0]);
  });

  test('sends an image with a streaming request', async () => {
    const { openai, seen, books } = await scenes.open(json);
    const content = [{ type: 'image_url' as const, image_url: { url: imageUrl } }];
    const requestBody = { model: 'gpt-4o', messages: [{ role: 'user' as const, content }] };
    const streamed = openai.chat.completions.stream(requestBody);
    expect(await streamed.finalContent()).toBe('{"a":1}');
    expect(seen()).toMatchObject([{ body: requestBody }]);
    expect((await books()).user.used_quota).toBe(plainPrice);
  });
});

describe('chat features of ai with @ai-sdk/openai-compatible', () => {
  const output = Output.object({ schema: jsonSchema<{ a: number }>(schema) });

  test('reads JSON, whole and streamed', async () => {
    const { ai, seen, books } = await scenes.open(json);
    const model = ai('gpt-4o');
    expect((await generateText({ model, output, prompt: 'json please' })).output).toEqual({ a: 1 });
    const streamed = streamText({ model, output, prompt: 'json please' });
    expect((await Array.fromAsync(streamed.partialOutputStream)).at(-1)).toEqual({ a: 1 });
    expect(await streamed.output).toEqual({ a: 1 });
    const response_format = { type: 'json_object' };
    expect(seen()).toMatchObject([{ body: { response_format } }, { body: { response_format, stream: true } }]);
    expect((await books()).user.used_quota).toBe(2 * plainPrice);
  });

  test('sends image bytes with a streaming request', async () => {
    const { ai, seen, books } = await scenes.open(json);
    const data = new Uint8Array(Buffer.from(imageUrl.split(',')[1] ?? '', 'base64'));
    const content = [{ type: 'file' as const, mediaType: 'image/png', data }];
    const streamed = streamText({ model: ai('gpt-4o'), messages: [{ role: 'user', content }] });
    expect(await streamed.text).toBe('{"a":1}');
    expect(seen()[0]?.body).toMatchObject({ messages: [{ content: [{ image_url: { url: imageUrl } }] }] });
    expect((await books()).user.used_quota).toBe(plainPrice);
  });

  test('sends vendor-specific fields and reads reasoning', async () => {
    const thoughtful = reply(chatResponse({ content: 'Hello', reasoning_content: 'Hm' }));
    const { ai, seen } = await scenes.open(thoughtful);
    const { text, reasoningText } = await generateText({
      model: ai('gpt-4o'),
      prompt: 'hi',
      seed: 7,
      stopSequences: ['!'],
      temperature: 0,
      providerOptions: { headgate: { reasoningEffort: 'high', user: 'me', top_k: 3 } },
    });
    expect([text, reasoningText]).toEqual(['Hello', 'Hm']);
    const passed = { seed: 7, stop: ['!'], temperature: 0, reasoning_effort: 'high', user: 'me', top_k: 3 };
    expect(seen()[0]?.body).toMatchObject(passed);
  });
});

describe('chat features of @langchain/openai', () => {
  test('reads usage at the end of a stream, which the client requests by default', async () => {
    const { langchainChat, seen, books } = await scenes.open(json);
    const pieces = await Array.fromAsync(await langchainChat().stream('hi'));
    const reported = pieces.map(({ usage_metadata }) => usage_metadata).filter((usage) => usage !== undefined);
    expect(reported).toMatchObject([{ input_tokens: 10, output_tokens: 5, total_tokens: 15 }]);
    expect(seen()).toMatchObject([{ body: { stream: true, stream_options: { include_usage: true } } }]);
    expect((await books()).user.used_quota).toBe(plainPrice);
  });

  test('reads structured output with a schema, whole and streamed', async () => {
    const { langchainChat, seen, books } = await scenes.open(json);
    const described = { title: 'x', ...schema };
    const model = langchainChat().withStructuredOutput(described, { method: 'jsonSchema', strict: true });
    expect(await model.invoke('json please')).toEqual({ a: 1 });
    expect((await Array.fromAsync(await model.stream('json please'))).at(-1)).toEqual({ a: 1 });
    expect(seen()[0]?.body).toMatchObject({ response_format: { type: 'json_schema', json_schema: { strict: true } } });
    expect((await books()).user.used_quota).toBe(2 * plainPrice);
  });

  test('reads structured output from a tool call', async () => {
    const { langchainChat, seen, books } = await scenes.open(calling);
    const { name, parameters } = weatherTool.function;
    const model = langchainChat().withStructuredOutput(
      { title: name, ...parameters },
      { method: 'functionCalling', name },
    );
    expect(await model.invoke('weather?')).toEqual({ city: 'Oslo' });
    expect(seen()[0]?.body).toMatchObject({ tool_choice: { type: 'function', function: { name } }, tools: [{}] });
    expect((await books()).user.used_quota).toBe(plainPrice);
  });

  test('sends an image as a standard content block with a streaming request', async () => {
    const { langchainChat, seen } = await scenes.open(json);
    const data = imageUrl.split(',')[1] ?? '';
    const image = new HumanMessage({ contentBlocks: [{ type: 'image', mimeType: 'image/png', data }] });
    const pieces = await Array.fromAsync(await langchainChat().stream([image]));
    expect(pieces.map(({ content }) => content).join('')).toBe('{"a":1}');
    expect(seen()[0]?.body).toMatchObject({ messages: [{ content: [{ image_url: { url: imageUrl } }] }] });
  });
});
