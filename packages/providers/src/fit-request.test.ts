import { anthropicMessages, chatHints, RequestProblem, readChatRequest } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import { fitRequest } from './fit-request.ts';
import type { ChatAdaptor, JsonObject, Upstream } from './provider.ts';
import { providers, toChatAdaptor } from './registry.ts';

const messages = [{ role: 'user', content: 'Hi' }];
const fitted = (body: JsonObject, adaptor: Partial<Pick<ChatAdaptor, 'takes' | 'ranges'>> = {}) =>
  fitRequest(readChatRequest({ messages, ...body }), { takes: [], ...adaptor });

const everyHint = {
  temperature: 0.5,
  top_p: 0.5,
  top_k: 5,
  min_p: 0.1,
  stop: 'END',
  seed: 1,
  frequency_penalty: 1,
  presence_penalty: 1,
  logit_bias: { 1: 5 },
  user: 'ada',
  num_ctx: 9,
  keep_alive: '1h',
  parallel_tool_calls: false,
  tools: [{ type: 'function', function: { name: 'f' } }],
};

test('drops and reports every hint when the upstream supports none', () => {
  // Filtered, because OpenAI's chat has no provider tools to offer.
  expect(fitted(everyHint, { takes: ['tools'] }).ignored).toEqual(chatHints.filter((hint) => hint !== 'server_tools'));
});

test('drops and reports optional provider tools, and rejects them when no other tools are offered', () => {
  const tools = [{ type: 'function', function: { name: 'f' } }];
  const offered = { ...readChatRequest({ messages, tools }), extras: { serverTools: ['web_search'] } };
  expect(fitRequest(offered, { takes: ['tools'] }).ignored).toEqual(['server_tools']);
  expect(fitRequest(offered, { takes: ['tools', 'server_tools'] }).ignored).toEqual([]);
  for (const demanded of [
    { ...offered, tools: [] },
    { ...offered, toolChoice: { name: 'web_search' } },
  ]) {
    expect(() => fitRequest(demanded, { takes: ['tools', 'tool_choice'] })).toThrow('server_tools');
  }
});

test('does not report hints that are supported or have their default value', () => {
  expect(fitted(everyHint, { takes: ['tools', ...chatHints] }).ignored).toEqual([]);
  expect(fitted({ top_p: 1, frequency_penalty: 0, logit_bias: {}, stop: null, seed: null }).ignored).toEqual([]);
});

test.each([
  ['tools', { tools: [{ type: 'function', function: { name: 'now' } }] }],
  ['response_format', { response_format: { type: 'json_object' } }],
  ['n', { n: 2 }],
  ['logprobs', { logprobs: true }],
  ['image_url', { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: 'https://a.example/b' }] }] }],
])('rejects %s and names it, because dropping it would change the response', (name, body) => {
  expect(() => fitted(body)).toThrow(RequestProblem);
  expect(() => fitted(body)).toThrow(`does not support ${name}`);
  expect(fitted(body, { takes: [name as 'tools'] }).ignored).toEqual([]);
});

test('drops and reports optional reasoning', () => {
  const requested = { max_tokens: 9, messages, thinking: { type: 'adaptive' }, output_config: { effort: 'high' } };
  const request = anthropicMessages.readRequest(requested, {});
  expect(fitRequest(request, { takes: [] })).toMatchObject({
    request: { reasoningEffort: undefined },
    ignored: ['reasoning_effort'],
  });
  expect(fitRequest(request, { takes: ['reasoning_effort'] })).toMatchObject({
    request: { reasoningEffort: 'high' },
    ignored: [],
  });
  expect(() => fitted({ reasoning_effort: 'high' })).toThrow('does not support reasoning_effort');
});

describe('parameters that the model rejects', () => {
  const adaptorOf = (type: 1 | 14 | 33 | 42, model: string): ChatAdaptor => {
    const { chat } = providers[type];
    const way = typeof chat === 'function' ? chat({ model } as Upstream) : chat;
    if (!way) throw new Error('there is no chat');
    return toChatAdaptor(way);
  };
  const claude = adaptorOf(14, '');
  const body = { max_tokens: 9000, temperature: 0.2, top_p: 0.9, stop: ['\n', 'END'], messages };

  test.each([
    ['Anthropic', 14, 'claude-sonnet-4-5'],
    ['Bedrock', 33, 'us.anthropic.claude-opus-4-1-20250805-v1:0'],
    ['Vertex', 42, 'claude-opus-4-1@20250805'],
  ] as const)('drops and reports rejected parameters at %s', (_, type, model) => {
    const adaptor = adaptorOf(type, model);
    const plain = fitRequest(readChatRequest(body), adaptor, model);
    expect(plain.request).toMatchObject({ temperature: 0.2, topP: undefined, stop: ['END'] });
    expect(plain.ignored).toEqual(['top_p', 'stop']);
    const thinking = fitRequest(readChatRequest({ ...body, reasoning_effort: 'high' }), adaptor, model);
    expect(thinking.request).toMatchObject({ temperature: undefined, topP: undefined });
    expect(thinking.ignored).toEqual(['temperature', 'top_p', 'stop']);
  });

  test('keeps parameters when a forced tool disables reasoning', () => {
    const tools = [{ type: 'function', function: { name: 'f' } }];
    const forced = { ...body, top_p: 1, stop: [], reasoning_effort: 'high', tools, tool_choice: 'required' };
    expect(fitRequest(readChatRequest(forced), claude, 'claude-sonnet-4-5').ignored).toEqual([]);
  });

  test('checks parameters after clamping', () => {
    const hot = fitRequest(readChatRequest({ messages, temperature: 2, top_p: 0.9 }), claude, 'claude-opus-4-1');
    expect(hot.request).toMatchObject({ temperature: undefined, topP: 0.9 });
    expect(hot.ignored).toEqual(['temperature']);
  });

  test('drops parameters that conflict only with a reasoning effort', () => {
    const request = readChatRequest({ messages, temperature: 0.2, reasoning_effort: 'high' });
    expect(fitRequest(request, adaptorOf(1, 'gpt-5.4'), 'gpt-5.4').ignored).toEqual(['temperature']);
    expect(fitRequest(request, adaptorOf(1, 'gpt-4o'), 'gpt-4o').ignored).toEqual([]);
  });
});

describe('clamping to a range', () => {
  const adaptor = { takes: ['temperature', 'top_p'], ranges: { temperature: [0, 1], top_p: [0.01, 0.99] } } as const;

  test.each([
    [2, 1],
    [-3, 0],
  ])('clamps a temperature of %d to %d and reports it', (requested, sent) => {
    const { request, ignored } = fitted({ temperature: requested, top_p: 0.5 }, adaptor);
    expect(request).toMatchObject({ temperature: sent, topP: 0.5 });
    expect(ignored).toEqual(['temperature']);
  });

  test('clamps a top_p of 1, which has no effect, without reporting it', () => {
    const { request, ignored } = fitted({ top_p: 1, temperature: 1 }, adaptor);
    expect(request).toMatchObject({ temperature: 1, topP: 0.99 });
    expect(ignored).toEqual([]);
  });
});
