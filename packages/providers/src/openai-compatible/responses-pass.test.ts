import { type ChatResponse, DeltaMerger, UpstreamProblem } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import { fitBody } from '../fit-request.ts';
import { frameSplitters } from '../frames.ts';
import type { JsonObject } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { passThroughEndpoint } from '../testing/pass-through-endpoint.ts';
import { responsesPass, responsesReader } from './responses-pass.ts';
import { openai, openRouter, xai } from './vendors.ts';

const usage = {
  input_tokens: 9,
  input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 14,
};

const output = [
  {
    type: 'reasoning',
    id: 'rs_1',
    summary: [
      { type: 'summary_text', text: 'H' },
      { type: 'summary_text', text: 'm' },
    ],
    encrypted_content: 'E',
  },
  { type: 'web_search_call', id: 'ws_1', status: 'completed' },
  {
    type: 'message',
    role: 'assistant',
    content: [
      {
        type: 'output_text',
        text: 'Hello ✓',
        annotations: [{ type: 'url_citation', url: 'https://a.test', title: 'T' }],
      },
      { type: 'refusal', refusal: 'No' },
    ],
  },
  { type: 'function_call', call_id: 'c1', name: 'f', namespace: 'n', arguments: '{"a":1}' },
  { type: 'custom_tool_call', call_id: 'c2', name: 'patch', input: 'a "b"' },
  { type: 'local_shell_call', id: 'l', call_id: 'c3', action: { type: 'exec', command: ['ls'] } },
  { type: 'image_generation_call', id: 'ig', result: 'AAAA', output_format: 'webp' },
];

const response = { id: 'resp_1', object: 'response', status: 'completed', error: null, output, usage };

const reply: ChatResponse = {
  choices: [
    {
      content: 'Hello ✓',
      reasoning: 'H\n\nm',
      thoughts: [{ text: '', maker: 'openai', sealed: 'E', id: 'rs_1' }],
      refusal: 'No',
      citations: [{ url: 'https://a.test', title: 'T' }],
      images: [{ mediaType: 'image/webp', data: 'AAAA' }],
      toolCalls: [
        { id: 'c1', name: 'n__f', arguments: '{"a":1}' },
        { id: 'c2', name: 'patch', arguments: '{"input":"a \\"b\\""}' },
        { id: 'c3', name: 'local_shell', arguments: '{"command":["ls"]}' },
      ],
      finishReason: 'tool_calls',
    },
  ],
  usage: {
    promptTokens: 9,
    completionTokens: 5,
    cachedTokens: 4,
    cacheWriteTokens: 2,
    reasoningTokens: 3,
  },
};

function respondOf(events: readonly JsonObject[], hasNames = true): ChatResponse | undefined {
  const text = events.map(
    (event) => `${hasNames ? `event: ${String(event['type'])}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
  );
  const cutter = frameSplitters.sse();
  const decoder = responsesReader.stream.open();
  const gatherer = new DeltaMerger();
  for (const frame of [...cutter.push(Buffer.from(text.join(''))), ...cutter.finish()]) {
    for (const delta of decoder.push(frame)) gatherer.add(delta);
  }
  return gatherer.response(decoder.usage);
}

const added = (output_index: number) => ({
  type: 'response.output_item.added',
  output_index,
  item: { ...output[output_index], arguments: '', input: '' },
});
const done = (output_index: number) => ({
  type: 'response.output_item.done',
  output_index,
  item: output[output_index],
});
const delta = (name: string, output_index: number, piece: string) => ({
  type: `response.${name}.delta`,
  output_index,
  delta: piece,
});

const events = [
  { type: 'response.created', response: { ...response, output: [], usage: null } },
  added(0),
  { type: 'response.reasoning_summary_part.added', output_index: 0, summary_index: 0, part: {} },
  delta('reasoning_summary_text', 0, 'H'),
  { type: 'response.reasoning_summary_part.added', output_index: 0, summary_index: 1, part: {} },
  delta('reasoning_summary_text', 0, 'm'),
  done(0),
  added(1),
  done(1),
  added(2),
  delta('output_text', 2, 'Hello '),
  delta('output_text', 2, '✓'),
  {
    type: 'response.output_text.annotation.added',
    output_index: 2,
    annotation: { type: 'url_citation', url: 'https://a.test', title: 'T' },
  },
  { type: 'response.output_text.done', output_index: 2, text: 'Hello ✓' },
  delta('refusal', 2, 'No'),
  done(2),
  added(3),
  delta('function_call_arguments', 3, '{"a"'),
  delta('function_call_arguments', 3, ':1}'),
  done(3),
  added(4),
  delta('custom_tool_call_input', 4, 'a '),
  delta('custom_tool_call_input', 4, '"b"'),
  done(4),
  added(5),
  done(5),
  added(6),
  done(6),
  { type: 'response.completed', response },
];

test('reads a whole response without loss', () => {
  expect(responsesReader.decode(response)).toEqual(reply);
});

test('reads the same response from a stream of events, with or without names', () => {
  expect(respondOf(events)).toEqual(reply);
  expect(respondOf(events, false)).toEqual(reply);
});

test('reads items that arrive only when complete', () => {
  const whole = output.map((_item, index) => done(index));
  expect(respondOf([...whole, { type: 'response.completed', response }])).toEqual(reply);
});

test('does not treat an aborted stream as complete', () => {
  expect(respondOf(events.slice(0, -1))).toBeUndefined();
});

test.each([
  ['max_output_tokens', 'length'],
  ['content_filter', 'content_filter'],
])('maps incomplete reason %s to %s', (reason, finishReason) => {
  const cut = { ...response, output: [], status: 'incomplete', incomplete_details: { reason } };
  expect(responsesReader.decode(cut).choices[0]?.finishReason).toBe(finishReason);
  expect(respondOf([{ type: 'response.incomplete', response: cut }])?.choices[0]?.finishReason).toBe(finishReason);
});

describe('failed responses', () => {
  const failed = { ...response, status: 'failed', output: [], error: { code: 'server_error', message: 'Broken' } };

  test.each([
    ['whole response', () => responsesReader.decode(failed)],
    ['response.failed event', () => respondOf([{ type: 'response.failed', response: failed }])],
  ])('reads a failed response as an error with usage: %s', (_name, act) => {
    try {
      act();
      expect.unreachable();
    } catch (problem) {
      expect(problem).toBeInstanceOf(UpstreamProblem);
      expect(problem).toMatchObject({ status: 502, message: 'Broken', usage: { promptTokens: 9 } });
    }
  });

  test('reads an error event as an error', () => {
    expect(() => respondOf([{ type: 'error', code: 'x', message: 'Broken', param: null }])).toThrow('Broken');
    expect(() => respondOf([{ type: 'error', error: { message: 'Nested' } }])).toThrow('Nested');
  });

  test.each([null, 'text', [], {}, { output: null }])('fails on %j instead of a response', (body) => {
    expect(() => responsesReader.decode(body)).toThrow(UpstreamProblem);
  });
});

describe('Responses requests that are passed through', () => {
  const pass = responsesPass();
  const reasoning = (fields: JsonObject) => ({ type: 'reasoning', summary: [], ...fields });
  const patch = (input: unknown, store?: boolean) => pass.patch?.({ input, store }, testUpstream);

  test("sends a request to the upstream's Responses endpoint", () => {
    expect(passThroughEndpoint(openai, 'responses').send(testUpstream).url).toBe('https://upstream.test/v1/responses');
    expect(passThroughEndpoint(openRouter, 'responses').send(testUpstream).headers).toMatchObject({
      'x-title': 'Headgate',
    });
    expect(passThroughEndpoint(xai, 'responses').send(testUpstream).headers).toEqual({
      authorization: 'Bearer test-key',
    });
  });

  test('drops reasoning that OpenAI cannot decrypt', () => {
    const own = reasoning({ id: 'rs_abc', encrypted_content: 'E' });
    const message = { role: 'user', content: 'Hi' };
    expect(patch([own, message])).toEqual({});
    expect(patch('Hi')).toEqual({});
    expect(patch([reasoning({ encrypted_content: 'hg1.anthropic.ssig' }), own, message])).toEqual({
      input: [own, message],
    });
    expect(patch([reasoning({ id: 'rs_r1-2_0' }), message])).toEqual({ input: [message] });
    const stored = reasoning({ id: 'rs_abc' });
    expect(patch([stored, message])).toEqual({});
    expect(patch([stored, message], false)).toEqual({ input: [message] });
  });

  test('drops fields that select another model', () => {
    expect(fitBody({ store: true }, pass, testUpstream).ignored).toEqual([]);
    const openRouterPass = passThroughEndpoint(openRouter, 'responses');
    expect(fitBody({ models: ['x'] }, openRouterPass, testUpstream).ignored).toEqual(['models']);
    expect(fitBody({ temperature: 0.5 }, pass, { ...testUpstream, model: 'o3' }).ignored).toEqual(['temperature']);
  });
});
