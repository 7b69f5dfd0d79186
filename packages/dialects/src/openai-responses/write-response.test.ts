import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import type { ChatChoice, ChatDelta, ChatResponse, Usage } from '../chat/chat-response.ts';
import { toDeltas } from '../chat/merge-deltas.ts';
import type { Failure, ResponseEnvelope } from '../dialect.ts';
import type { JsonObject } from '../json-fields.ts';
import { listAt, objectAt } from '../upstream-fields.ts';
import { openaiResponses } from './index.ts';

const replyTo = (body: JsonObject = {}): ResponseEnvelope => ({
  id: 'r1',
  created: 7,
  model: 'm',
  wantsUsage: true,
  body,
});
const usage: Usage = {
  promptTokens: 9,
  completionTokens: 5,
  cachedTokens: 4,
  cacheWriteTokens: 1,
  reasoningTokens: 2,
};

const responded = (choice: Partial<ChatChoice>): ChatResponse => ({
  choices: [{ content: '', finishReason: 'stop', ...choice }],
  usage,
});

const whole = (reply: ChatResponse, body?: JsonObject) =>
  JSON.parse(openaiResponses.writeResponse(reply, replyTo(body))) as JsonObject;

function streamed(deltas: readonly ChatDelta[], body?: JsonObject): string {
  const writer = openaiResponses.openStream(replyTo(body));
  return deltas.map((delta) => writer.write(delta)).join('') + writer.end(usage);
}

const eventsIn = (text: string) =>
  text
    .split('\n\n')
    .filter(Boolean)
    .map((event) => {
      const [name = '', data = ''] = event.split('\n');
      const fields = JSON.parse(data.slice('data: '.length)) as JsonObject;
      expect(name).toBe(`event: ${String(fields['type'])}`);
      return fields;
    });

const tools = [
  { type: 'function', name: 'f' },
  { type: 'namespace', name: 'n', tools: [{ type: 'function', name: 'g' }] },
  { type: 'custom', name: 'patch' },
  { type: 'local_shell' },
];

test("a whole response echoes the request's fields and is marked as not stored", () => {
  const body = {
    instructions: 'Be brief',
    tools,
    temperature: 0.5,
    reasoning: { effort: 'low' },
    metadata: { a: 'b' },
    store: true,
  };
  expect(whole(responded({ content: 'Hello' }), body)).toEqual({
    id: 'resp_r1',
    object: 'response',
    created_at: 7,
    model: 'm',
    background: false,
    previous_response_id: null,
    service_tier: 'default',
    store: false,
    reasoning: { effort: 'low', summary: null },
    text: { format: { type: 'text' } },
    instructions: 'Be brief',
    max_output_tokens: null,
    max_tool_calls: null,
    metadata: { a: 'b' },
    parallel_tool_calls: true,
    prompt_cache_key: null,
    safety_identifier: null,
    temperature: 0.5,
    tool_choice: 'auto',
    tools,
    top_logprobs: 0,
    top_p: 1,
    truncation: 'disabled',
    user: null,
    status: 'completed',
    error: null,
    incomplete_details: null,
    output: [
      {
        id: 'msg_r1_0',
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Hello', annotations: [], logprobs: [] }],
      },
    ],
    usage: {
      input_tokens: 9,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 1 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 2 },
      total_tokens: 14,
    },
  });
});

describe('Responses API output', () => {
  const outputOf = (choice: Partial<ChatChoice>) => listAt(whole(responded(choice), { tools }), 'output');

  test('puts reasoning before text and calls', () => {
    const output = outputOf({
      reasoning: 'Hm',
      thoughts: [{ text: 'Hm', maker: 'anthropic', signature: 'sig' }],
      content: 'Look',
      toolCalls: [{ id: 'c', name: 'f', arguments: '{"a":1}' }],
    });
    expect(output).toMatchObject([
      {
        id: 'rs_r1_0',
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'Hm' }],
        encrypted_content: 'hg1.anthropic.ssig',
      },
      { type: 'message' },
      { id: 'fc_r1_2', type: 'function_call', status: 'completed', call_id: 'c', name: 'f', arguments: '{"a":1}' },
    ]);
  });

  test("returns OpenAI's reasoning unchanged, and other reasoning without a signature", () => {
    const sealed = { text: '', maker: 'openai', sealed: 'E', id: 'rs_9' } as const;
    expect(outputOf({ thoughts: [sealed] })).toEqual([
      { id: 'rs_9', type: 'reasoning', summary: [], encrypted_content: 'E' },
    ]);
    expect(outputOf({ reasoning: 'Hm' })).toEqual([
      { id: 'rs_r1_0', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm' }] },
    ]);
  });

  test('writes calls as items of their type', () => {
    const json = '{"command":["ls"],"working_directory":"/"}';
    const output = outputOf({
      toolCalls: [
        { id: 'c1', name: 'n__g', arguments: '' },
        { id: 'c2', name: 'patch', arguments: '{"input":"a\\nb"}' },
        { id: 'c3', name: 'patch', arguments: 'not JSON' },
        { id: 'c4', name: 'local_shell', arguments: json },
        { id: 'c5', name: 'f', arguments: '{}', thoughtSignature: 'sig' },
      ],
    });
    expect(output).toMatchObject([
      { type: 'function_call', call_id: 'c1', name: 'g', namespace: 'n', arguments: '{}' },
      { type: 'custom_tool_call', call_id: 'c2', name: 'patch', input: 'a\nb' },
      { type: 'custom_tool_call', call_id: 'c3', input: 'not JSON' },
      {
        type: 'local_shell_call',
        call_id: 'c4',
        action: { type: 'exec', command: ['ls'], env: {}, working_directory: '/' },
      },
      { type: 'reasoning', summary: [], encrypted_content: 'hg1.google.cc5.sig' },
      { type: 'function_call', call_id: 'c5' },
    ]);
  });

  test('writes refusals, citations and images', () => {
    const output = outputOf({
      content: 'A',
      refusal: 'No',
      citations: [{ url: 'https://a.test', title: 'T' }],
      images: [{ mediaType: 'image/png', data: 'AAAA' }],
    });
    const annotation = { type: 'url_citation', url: 'https://a.test', title: 'T' };
    const [message, image] = output;
    expect(JSON.stringify(listAt(message, 'content'))).toContain('"refusal":"No"');
    expect(JSON.stringify(listAt(message, 'content'))).toContain(JSON.stringify(annotation).slice(0, -1));
    expect(image).toMatchObject({ type: 'image_generation_call', status: 'completed', result: 'AAAA' });
  });

  test.each([
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ] as const)('marks the response as incomplete when the finish reason is %s', (finishReason, reason) => {
    const response = whole(responded({ content: 'A', finishReason }));
    expect(response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason },
      output: [{ status: 'incomplete' }],
    });
    expect(eventsIn(streamed([{ content: 'A' }, { finishReason }])).at(-1)).toMatchObject({
      type: 'response.incomplete',
      response,
    });
  });

  test('omits implausible usage', () => {
    expect(JSON.parse(openaiResponses.writeResponse({ ...responded({}), usage: undefined }, replyTo()))).toMatchObject({
      usage: null,
    });
  });
});

test("writes events in OpenAI's order, each with its sequence number", () => {
  const events = eventsIn(
    streamed(
      [
        { reasoning: 'H' },
        { reasoning: 'm' },
        { thought: { text: '', maker: 'anthropic', signature: 'sig' } },
        { content: 'He' },
        { content: 'llo' },
        { toolCall: { index: 0, id: 'c1', name: 'f', arguments: '' } },
        { toolCall: { index: 0, arguments: '{}' } },
        { toolCall: { index: 1, id: 'c2', name: 'patch', arguments: '{"input":"x"}' } },
        { finishReason: 'tool_calls' },
      ],
      { tools },
    ),
  );
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_event, index) => index));
  expect(events.map(({ type, output_index }) => [String(type).replace('response.', ''), output_index])).toEqual([
    ['created', undefined],
    ['in_progress', undefined],
    ['output_item.added', 0],
    ['reasoning_summary_part.added', 0],
    ['reasoning_summary_text.delta', 0],
    ['reasoning_summary_text.delta', 0],
    ['reasoning_summary_text.done', 0],
    ['reasoning_summary_part.done', 0],
    ['output_item.done', 0],
    ['output_item.added', 1],
    ['content_part.added', 1],
    ['output_text.delta', 1],
    ['output_text.delta', 1],
    ['output_text.done', 1],
    ['content_part.done', 1],
    ['output_item.done', 1],
    ['output_item.added', 2],
    ['function_call_arguments.delta', 2],
    ['output_item.added', 3],
    ['function_call_arguments.done', 2],
    ['output_item.done', 2],
    ['custom_tool_call_input.delta', 3],
    ['custom_tool_call_input.done', 3],
    ['output_item.done', 3],
    ['completed', undefined],
  ]);
});

const rich: ChatResponse = responded({
  reasoning: 'Hm',
  thoughts: [{ text: 'Hm', maker: 'google', signature: 'sig' }],
  content: 'Look ✓',
  citations: [{ url: 'https://a.test', title: 'T' }],
  toolCalls: [
    { id: 'c1', name: 'f', arguments: '{"a":1}' },
    { id: 'c2', name: 'patch', arguments: '{"input":"x"}' },
    { id: 'c3', name: 'local_shell', arguments: '{"command":["ls"]}' },
  ],
  finishReason: 'tool_calls',
});

/** Parses the bytes with the SDK. */
function client(bytes: string): OpenAI {
  const headers = { 'content-type': 'text/event-stream' };
  return new OpenAI({
    apiKey: 'k',
    baseURL: 'http://localhost',
    maxRetries: 0,
    fetch: () => Promise.resolve(new Response(bytes, { headers })),
  });
}

describe("OpenAI's client library", () => {
  test('merges the events into the whole response', async () => {
    const bytes = streamed(toDeltas(rich), { tools });
    const response = await client(bytes).responses.stream({ model: 'm', input: 'Hi' }).finalResponse();
    expect(response.output_text).toBe('Look ✓');
    const { output } = whole(rich, { tools });
    expect(JSON.parse(JSON.stringify(response.output))).toMatchObject(output as object);
  });

  test('throws on an error in the stream, including at the end, where Codex expects it', async () => {
    const failure: Failure = { status: 429, message: 'Busy', type: 'x', code: null, param: null, requestId: 'r1' };
    const begun = openaiResponses.openStream(replyTo()).write({ content: 'A' });
    const bytes = begun + openaiResponses.writeErrorEvent(failure);
    await expect(client(bytes).responses.stream({ model: 'm', input: 'Hi' }).finalResponse()).rejects.toThrow('Busy');
    const last = eventsIn(bytes).at(-1);
    expect(last).toMatchObject({ type: 'response.failed' });
    expect(objectAt(last, 'response')).toMatchObject({
      id: 'resp_r1',
      status: 'failed',
      error: { code: 'rate_limit_exceeded', message: 'Busy (request id: r1)' },
    });
  });
});

test("writes an error before the first byte in OpenAI's format", () => {
  const failure: Failure = { status: 400, message: 'No', type: 't', code: 'c', param: 'p', requestId: 'r1' };
  expect(openaiResponses.writeError(failure)).toEqual({
    status: 400,
    body: { error: { message: 'No (request id: r1)', type: 't', code: 'c', param: 'p' } },
  });
});

test('a streamed response equals the whole response', () => {
  const last = eventsIn(streamed(toDeltas(rich), { tools })).at(-1);
  expect(objectAt(last, 'response')).toEqual(whole(rich, { tools }));
});
