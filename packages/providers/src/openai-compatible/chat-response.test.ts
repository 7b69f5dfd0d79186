import { type ChatResponse, UpstreamProblem } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import { readStreamedResponse } from '../testing/chat-suite.ts';
import { passThroughEndpoint } from '../testing/pass-through-endpoint.ts';
import { openaiAdaptor } from './chat-adaptor.ts';
import { decodeChatResponse } from './chat-response.ts';
import { passThrough } from './pass-through.ts';
import { miniMax } from './vendors.ts';

const adaptor = openaiAdaptor(passThrough('/v1/chat/completions'));

const whole = (message: object, finish_reason: string | null = 'stop', otherFields: object = {}) =>
  decodeChatResponse({ id: 'a1', choices: [{ index: 0, message, finish_reason, ...otherFields }] }).choices[0];

const streamed = (...deltas: readonly object[]) =>
  readStreamedResponse(adaptor, [
    Buffer.from(
      [...deltas.map((delta) => ({ delta })), { delta: {}, finish_reason: 'stop' }]
        .map((choice) => `data: ${JSON.stringify({ id: 'a1', choices: [{ index: 0, ...choice }] })}\n\n`)
        .join(''),
    ),
  ])?.choices[0];

const call = (fields: object, json: string) => ({
  tool_calls: [{ function: { name: 'f', arguments: json }, ...fields }],
});

describe("tool calls in OpenAI's chat", () => {
  test('distinguishes tool calls without indexes or ids', () => {
    const toolCalls = [
      { id: 'call_a1_0_0', name: 'f', arguments: '{"a":1}' },
      { id: 'call_a1_0_1', name: 'f', arguments: '{"a":2}' },
    ];
    const pieces = [call({}, '{"a":'), { tool_calls: [{ function: { arguments: '1}' } }] }, call({}, '{"a":2}')];
    expect(streamed(...pieces)).toEqual({ content: '', toolCalls, finishReason: 'tool_calls' });
    expect(
      whole({ tool_calls: [call({}, '{"a":1}'), call({}, '{"a":2}')].flatMap(({ tool_calls }) => tool_calls) }),
    ).toEqual({
      content: '',
      toolCalls,
      finishReason: 'tool_calls',
    });
  });

  test('distinguishes tool calls with the same index by id', () => {
    const reply = streamed(call({ index: 0, id: 'x' }, '{}'), call({ index: 0, id: 'y' }, '{}'));
    expect(reply?.toolCalls?.map(({ id }) => id)).toEqual(['x', 'y']);
  });

  test('merges a tool call whose name is repeated in every chunk', () => {
    const reply = streamed(call({ index: 0, id: 'x' }, '{'), call({ index: 0, id: 'x' }, '}'));
    expect(reply?.toolCalls).toEqual([{ id: 'x', name: 'f', arguments: '{}' }]);
  });

  test('writes an empty object for a tool call without arguments', () => {
    expect(streamed(call({ id: 'x' }, ''))?.toolCalls).toEqual([{ id: 'x', name: 'f', arguments: '{}' }]);
  });

  test('reads tool calls whose arguments are an object instead of a string', () => {
    const tool_calls = [{ id: 'x', function: { name: 'f', arguments: { a: 1 } } }];
    expect(whole({ tool_calls })?.toolCalls).toEqual([{ id: 'x', name: 'f', arguments: '{"a":1}' }]);
  });

  test("keeps Google's signature of a tool call", () => {
    const signed = call({ id: 'x', extra_content: { google: { thought_signature: 's' } } }, '{}');
    expect(whole(signed)?.toolCalls).toEqual([{ id: 'x', name: 'f', arguments: '{}', thoughtSignature: 's' }]);
    expect(streamed(signed)?.toolCalls).toEqual(whole(signed)?.toolCalls);
  });
});

describe("reasoning in OpenAI's chat", () => {
  const seal = { signature: 's', format: 'anthropic-claude-v1' };
  const thoughts = [{ text: 'Hm', maker: 'anthropic', signature: 's' }];

  test.each(['reasoning_content', 'reasoning'])('reads reasoning from %s', (name) => {
    expect(whole({ content: 'A', [name]: 'Hm' })).toEqual({ content: 'A', reasoning: 'Hm', finishReason: 'stop' });
    expect(streamed({ [name]: 'H' }, { [name]: 'm' }, { content: 'A' })?.reasoning).toBe('Hm');
  });

  test('reads signed reasoning only once', () => {
    const details = [{ type: 'reasoning.text', text: 'Hm', ...seal }];
    expect(whole({ content: '', reasoning: 'Hm', reasoning_details: details })).toMatchObject({
      reasoning: 'Hm',
      thoughts,
    });
    // OpenRouter's format: the text twice, and the signature alone at the end.
    const piece = (text: string) => ({ reasoning: text, reasoning_details: [{ type: 'reasoning.text', text }] });
    const last = { reasoning_details: [{ type: 'reasoning.text', ...seal }] };
    expect(streamed(piece('H'), piece('m'), last)).toMatchObject({ reasoning: 'Hm', thoughts });
    // The signature together with the repeated text.
    expect(streamed({ reasoning_content: 'Hm' }, { reasoning_details: details })).toMatchObject({
      reasoning: 'Hm',
      thoughts,
    });
    // The text only in `reasoning_details`.
    const silent = (text: string) => ({ reasoning_details: [{ type: 'reasoning.text', text }] });
    expect(streamed(silent('H'), silent('m'), last)).toMatchObject({ reasoning: 'Hm', thoughts });
  });

  test('keeps encrypted reasoning next to the text', () => {
    const reasoning_details = [{ type: 'reasoning.encrypted', data: 'd', id: 'rs_1', format: 'openai-responses-v1' }];
    const reply = { reasoning: 'Hm', thoughts: [{ text: '', maker: 'openai', sealed: 'd', id: 'rs_1' }] };
    expect(whole({ reasoning: 'Hm', reasoning_details })).toMatchObject(reply);
    expect(streamed({ reasoning: 'Hm' }, { reasoning_details })).toMatchObject(reply);
  });

  test("reads reasoning in Mistral's content list", () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
      { type: 'text', text: 'A' },
    ];
    expect(whole({ content })).toEqual({ content: 'A', reasoning: 'Hm', finishReason: 'stop' });
    expect(streamed({ content })).toEqual(whole({ content }));
  });
});

test('keeps audio, images and citations of a response', () => {
  const message = {
    content: 'A',
    refusal: 'No',
    audio: { data: 'AAAA' },
    images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,BBBB' } }, { image_url: { url: 'x' } }],
    annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.test', title: 'T', content: 'C' } }, {}],
  };
  const reply = {
    content: 'A',
    refusal: 'No',
    audio: 'AAAA',
    images: [{ mediaType: 'image/png', data: 'BBBB' }],
    citations: [{ url: 'https://a.test', title: 'T', text: 'C' }],
    finishReason: 'stop',
  };
  expect(whole(message)).toEqual(reply);
  expect(streamed(message)).toEqual(reply);
});

test('distinguishes several choices', () => {
  const choices = ['A', 'B'].map((content, index) => ({ index, message: { content }, finish_reason: 'stop' }));
  const reply: ChatResponse = {
    choices: ['A', 'B'].map((content) => ({ content, finishReason: 'stop' })),
    usage: undefined,
  };
  expect(decodeChatResponse({ choices })).toEqual(reply);
  const events = choices.map(({ index, message, finish_reason }) => ({ index, delta: message, finish_reason }));
  const bytes = events.map((choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`).join('');
  expect(readStreamedResponse(adaptor, [Buffer.from(bytes)])).toEqual(reply);
});

test.each([
  ['stop', 'stop'],
  ['eos', 'stop'],
  [null, 'stop'],
  ['length', 'length'],
  ['model_length', 'length'],
  ['content_filter', 'content_filter'],
  ['sensitive', 'content_filter'],
  ['function_call', 'tool_calls'],
  ['toString', 'stop'],
])('maps the finish reason %s to %s', (reason, finishReason) => {
  expect(whole({ content: 'A' }, reason)?.finishReason).toBe(finishReason);
});

test('treats a finish reason that reports a failure as an error', () => {
  expect(() => whole({ content: 'A' }, 'insufficient_system_resource')).toThrow('The upstream aborted the response');
  expect(() => whole({ content: '' }, 'error', { error: { code: 429, message: 'Busy' } })).toThrow('Busy');
});

describe("usage in OpenAI's chat", () => {
  const usage = { prompt_tokens: 9, completion_tokens: 3 };
  const read = { promptTokens: 9, completionTokens: 3 };
  const usageIn = (body: object) =>
    decodeChatResponse({ choices: [{ message: { content: '' }, finish_reason: 'stop' }], ...body }).usage;

  test.each([
    ['DeepSeek', { prompt_cache_hit_tokens: 4 }],
    ['Moonshot', { cached_tokens: 4 }],
    ['OpenAI', { prompt_tokens_details: { cached_tokens: 4 } }],
  ])('reads cached tokens from the fields of %s', (_name, otherFields) => {
    expect(usageIn({ usage: { ...usage, ...otherFields } })).toEqual({ ...read, cachedTokens: 4 });
  });

  test('reads cache write tokens', () => {
    const prompt_tokens_details = { cached_tokens: 4, cache_write_tokens: 2 };
    expect(usageIn({ usage: { ...usage, prompt_tokens_details } })).toEqual({
      ...read,
      cachedTokens: 4,
      cacheWriteTokens: 2,
    });
  });

  test('reads usage from the fields of Groq and Moonshot', () => {
    expect(usageIn({ x_groq: { usage } })).toEqual(read);
    expect(decodeChatResponse({ choices: [{ message: { content: '' }, usage }] }).usage).toEqual(read);
  });

  test('computes completion tokens from the total', () => {
    expect(usageIn({ usage: { prompt_tokens: 9, total_tokens: 12 } })).toEqual(read);
  });
});

describe('errors inside a 200', () => {
  const push = (event: object, given = adaptor) =>
    given.stream?.open().push({ event: '', data: JSON.stringify(event) });

  test('keeps the status and usage of an error inside a stream', () => {
    const usage = { prompt_tokens: 5, completion_tokens: 0 };
    const error = { message: 'Filtered', code: 'content_filter' };
    try {
      push({ error, usage });
      expect.unreachable();
    } catch (problem) {
      expect(problem).toBeInstanceOf(UpstreamProblem);
      expect(problem).toMatchObject({
        status: 400,
        message: 'Filtered',
        usage: { promptTokens: 5, completionTokens: 0 },
      });
    }
    expect(() => push({ success: false, message: 'Broken' })).toThrow('Broken');
    expect(() => push({ object: 'error', message: 'Broken' })).toThrow('Broken');
  });

  test('keeps the content of a response that also contains an error', () => {
    const choices = [{ message: { content: 'A' }, finish_reason: 'stop' }];
    expect(decodeChatResponse({ error: { message: 'late' }, choices }).choices).toHaveLength(1);
    expect(() => decodeChatResponse({ error: { message: 'late' }, choices: [{ message: null }] })).toThrow('late');
  });

  test("reads an in-band error from a vendor's field", () => {
    const hiding = openaiAdaptor(passThroughEndpoint(miniMax, 'chat'));
    const body = { choices: null, base_resp: { status_code: 1008, status_msg: 'No money' } };
    expect(() => hiding.decode?.(body)).toThrow('No money');
    expect(() => push(body, hiding)).toThrow('No money');
  });
});
