import { type ChatRequest, readChatRequest } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import { fitRequest } from './fit-request.ts';
import type { JsonObject, Provider, Upstream } from './provider.ts';
import { providers, toChatAdaptor } from './registry.ts';

const { 1: openai, 3: azure, 16: zhipu, 20: openRouter, 25: moonshot, 28: mistral } = providers;
const { 36: deepSeek, 39: together, 45: xai } = providers;

const plain: Upstream = {
  baseUrl: 'https://upstream.test',
  key: 'key',
  model: 'test-model',
  requestedModel: 'asked',
  isStream: false,
  other: '',
  config: {},
  clientHeaders: {},
  credential: '',
  largestBody: 10_000_000,
  now: Date.UTC(2025, 0, 1),
  nonce: 'nonce',
};

function adaptorOf({ chat }: Provider, upstream: Upstream) {
  const wire = typeof chat === 'function' ? chat(upstream) : chat;
  if (!wire) throw new Error('there is no chat');
  return toChatAdaptor(wire);
}

const hello = { messages: [{ role: 'user', content: 'Hi' }] };

function sent(provider: Provider, request: Partial<ChatRequest>, fields: Partial<Upstream> = {}) {
  const upstream = { ...plain, ...fields };
  const adaptor = adaptorOf(provider, upstream);
  const chatRequest = { ...readChatRequest(hello), ...request };
  const fitted = fitRequest(chatRequest, adaptor, upstream.model);
  const ignored = [...fitted.ignored, ...(adaptor.drops?.(chatRequest, upstream) ?? [])];
  return { ignored, body: JSON.parse(adaptor.encode(fitted.request, upstream).body ?? '') as JsonObject };
}

const chatRequest = (body: JsonObject): ChatRequest => readChatRequest({ ...hello, ...body });

test("sends every setting that OpenAI's format supports", () => {
  const words = {
    temperature: 0.1,
    top_p: 0.2,
    frequency_penalty: 0.3,
    presence_penalty: 0.4,
    seed: 5,
    stop: ['a'],
    user: 'u',
    n: 2,
    logit_bias: { 1: 2 },
    max_tokens: 6,
    prediction: { type: 'content', content: 'x' },
    web_search_options: {},
    modalities: ['text', 'audio'],
    tools: [{ type: 'function', function: { name: 'f', parameters: {}, strict: true } }],
    tool_choice: { type: 'function', function: { name: 'f' } },
    parallel_tool_calls: false,
    response_format: { type: 'json_schema', json_schema: { name: 's', schema: { type: 'object' }, strict: true } },
  };
  const { body, ignored } = sent(openai, chatRequest(words));
  expect(body).toEqual({ model: 'test-model', ...hello, ...words });
  expect(ignored).toEqual([]);
});

test('omits tool settings without tools', () => {
  const { body } = sent(openai, chatRequest({ tool_choice: 'none', parallel_tool_calls: true }));
  expect(body).toEqual({ model: 'test-model', ...hello });
});

test('requests plain JSON', () => {
  expect(sent(openai, chatRequest({ response_format: { type: 'json_object' } })).body['response_format']).toEqual({
    type: 'json_object',
  });
});

test.each(['logprobs', 'functions'])('rejects %s and names it, because its output cannot be represented', (name) => {
  expect(() => sent(openai, chatRequest({ [name]: name === 'logprobs' ? true : [{ name: 'f' }] }))).toThrow(name);
});

describe('vendor differences in translated requests', () => {
  test('uses the new limit name for reasoning models, and drops and reports their hints', () => {
    const { body, ignored } = sent(openai, chatRequest({ max_tokens: 9, temperature: 0.5 }), { model: 'o3' });
    expect(body).toEqual({ model: 'o3', ...hello, max_completion_tokens: 9 });
    expect(ignored).toEqual(['temperature']);
  });

  test('drops and reports fields that xAI does not support', () => {
    const { body, ignored } = sent(xai, chatRequest({ stop: ['x'], presence_penalty: 1 }), { model: 'grok-4' });
    expect(body).toEqual({ model: 'grok-4', ...hello });
    expect(ignored).toEqual(['stop', 'presence_penalty']);
  });

  test('renames fields for Mistral', () => {
    expect(sent(mistral, chatRequest({ seed: 3 })).body).toMatchObject({ random_seed: 3 });
  });

  test('clamps numbers for Zhipu', () => {
    const { body, ignored } = sent(zhipu, chatRequest({ temperature: 1.5 }));
    expect(body['temperature']).toBe(1);
    expect(ignored).toEqual(['temperature']);
  });

  test("uses the vendor's URL for Azure", () => {
    const upstream = { ...plain, baseUrl: 'https://r.test', model: 'gpt-4o', other: '2024-03-01-preview' };
    const adaptor = adaptorOf(azure, upstream);
    const request = adaptor.encode(readChatRequest(hello), upstream);
    expect(request.url).toBe(
      'https://r.test/openai/deployments/gpt-4o/chat/completions?api-version=2024-03-01-preview',
    );
    expect(request.headers).toMatchObject({ 'api-key': 'key' });
  });
});

test("sends fields unknown to OpenAI's chat only to vendors that support them, and otherwise reports them as dropped", () => {
  const hints = { top_k: 5, min_p: 0.1 };
  expect(sent(openai, chatRequest(hints))).toMatchObject({
    ignored: ['top_k', 'min_p'],
    body: { model: 'test-model' },
  });
  expect(sent(openai, chatRequest(hints)).body).not.toHaveProperty('top_k');
  expect(sent(together, chatRequest(hints))).toMatchObject({ ignored: [], body: hints });
});

const mark = { type: 'ephemeral' };
const marked = chatRequest({
  messages: [
    { role: 'system', content: [{ type: 'text', text: 'Be brief', cache_control: mark }] },
    { role: 'user', content: 'Hi', cache_control: mark },
  ],
  tools: [{ type: 'function', function: { name: 'f', parameters: {} }, cache_control: mark }],
});

test('sends cache markers only to vendors that support them', () => {
  expect(JSON.stringify(sent(openai, marked).body)).not.toContain('cache_control');
  expect(sent(openRouter, marked).body).toEqual({
    model: 'test-model',
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'Be brief', cache_control: mark }] },
      { role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: mark }] },
    ],
    tools: [{ type: 'function', function: { name: 'f', parameters: {} }, cache_control: mark }],
  });
});

test('joins several texts into one string with separators', () => {
  const parts = ['One', '', 'Two', ' and three ', ''].map((text) => ({ type: 'text', text }));
  const { messages } = sent(openai, chatRequest({ messages: [{ role: 'system', content: parts }] })).body;
  expect(messages).toEqual([{ role: 'system', content: 'One\n\nTwo and three ' }]);
});

test('sends files and audio', () => {
  const content = [
    { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
    { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
  ];
  const bare = { type: 'file', file: { file_data: 'BBBB' } };
  const { messages } = sent(openai, chatRequest({ messages: [{ role: 'user', content: [...content, bare] }] })).body;
  const named = { type: 'file', file: { filename: 'document.pdf', file_data: 'data:application/pdf;base64,BBBB' } };
  expect(messages).toEqual([{ role: 'user', content: [...content, named] }]);
});

test('moves an image in a tool result to a user message', () => {
  const image = { type: 'image_url', image_url: { url: 'https://a.test/b.png' } };
  const content = [{ type: 'text', text: 'See' }, image];
  const { messages } = sent(openai, chatRequest({ messages: [{ role: 'tool', tool_call_id: 'c', content }] })).body;
  expect(messages).toEqual([
    { role: 'tool', tool_call_id: 'c', content: 'See' },
    { role: 'user', content: [image] },
  ]);
});

describe('reasoning of an earlier turn', () => {
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
  const details = [
    { type: 'reasoning.text', text: 'Hm', signature: 's', format: 'anthropic-claude-v1', index: 0 },
    { type: 'reasoning.encrypted', data: 'd', format: 'openai-responses-v1', index: 1 },
  ];
  const turn = (fields: JsonObject) =>
    chatRequest({ messages: [{ role: 'assistant', content: null, tool_calls: [call], ...fields }] });
  const wordy = turn({ reasoning_content: 'Hm' });
  const sealed = turn({ reasoning_details: details });
  const message = (provider: Provider, request: ChatRequest, model = 'test-model') =>
    (sent(provider, request, { model }).body['messages'] as readonly unknown[])[0];
  const bare = { role: 'assistant', content: null, tool_calls: [call] };

  test('sends no reasoning to vendors that do not support it', () => {
    expect(message(openai, wordy)).toEqual(bare);
    expect(message(openai, sealed)).toEqual(bare);
  });

  test.each([deepSeek, moonshot, zhipu])('sends reasoning back with its call (row %#)', (provider) => {
    expect(message(provider, wordy)).toEqual({ ...bare, reasoning_content: 'Hm' });
    expect(
      message(provider, chatRequest({ messages: [{ role: 'assistant', content: 'Hi', reasoning_content: 'Hm' }] })),
    ).toEqual({ role: 'assistant', content: 'Hi' });
  });

  test('sends a tool call even if the client lost its reasoning', () => {
    expect(message(deepSeek, turn({}))).toEqual({ ...bare, reasoning_content: ' ' });
  });

  test('sends signed reasoning only to its vendor', () => {
    expect(message(openRouter, sealed, 'anthropic/claude-x')).toEqual({ ...bare, reasoning_details: [details[0]] });
    expect(message(openRouter, sealed, 'openai/gpt-5.1')).toEqual({
      ...bare,
      reasoning_details: [{ ...details[1], index: 0 }],
    });
    expect(message(openRouter, sealed, 'google/gemini-3')).toEqual(bare);
    expect(message(openRouter, wordy, 'qwen/qwen3')).toEqual({
      ...bare,
      reasoning_details: [{ type: 'reasoning.text', text: 'Hm', index: 0 }],
    });
  });

  test("sends a call's signature only to Google's models", () => {
    const signed = { ...call, extra_content: { google: { thought_signature: 'g' } } };
    expect(message(openai, turn({ tool_calls: [signed] }), 'gemini-3-pro')).toEqual({ ...bare, tool_calls: [signed] });
    expect(message(openai, turn({ tool_calls: [signed] }), 'gpt-4o')).toEqual(bare);
  });
});

describe('reasoning effort', () => {
  const effort = (provider: Provider, request: Partial<ChatRequest>, model = 'test-model') =>
    sent(provider, request, { model }).body['reasoning_effort'];

  test.each([
    ['high', 'gpt-4o', undefined],
    ['high', 'o3', 'high'],
    ['none', 'o3', 'low'],
    ['none', 'gpt-5', 'minimal'],
    ['none', 'gpt-5.1', 'none'],
    ['minimal', 'gpt-5.1', 'low'],
    ['max', 'gpt-5', 'high'],
    ['max', 'gpt-5.5', 'xhigh'],
    ['xhigh', 'other', 'high'],
    ['none', 'other', undefined],
    ['default', 'other', 'default'],
    ['constructor', 'other', 'constructor'],
  ])('maps effort %s for %s to %s', (reasoningEffort, model, expected) => {
    expect(effort(openai, { reasoningEffort }, model)).toBe(expected);
  });

  test('uses the fields of vendors with their own format', () => {
    expect(effort(deepSeek, { reasoningEffort: 'xhigh' })).toBe('max');
    expect(effort(openRouter, { reasoningEffort: 'none' })).toBe('none');
    expect(sent(zhipu, { reasoningEffort: 'none' }).body).toMatchObject({ thinking: { type: 'disabled' } });
  });

  test.each([
    [0, 'minimal'],
    [1024, 'low'],
    [8000, 'medium'],
    [32_000, 'high'],
    [-1, undefined],
  ])('converts a budget of %d tokens to %s', (reasoningBudget, expected) => {
    expect(effort(openai, { reasoningBudget }, 'gpt-5')).toBe(expected);
    const thinking = { type: 'enabled', budget_tokens: reasoningBudget };
    expect(effort(openai, { extras: { thinking } }, 'gpt-5')).toBe(expected);
  });

  test('sends no effort when reasoning is disabled', () => {
    expect(effort(openai, { extras: { thinking: { type: 'disabled' } } }, 'gpt-5.2')).toBe('none');
    expect(effort(openai, { extras: { thinking: { type: 'adaptive' } } }, 'gpt-5.2')).toBeUndefined();
  });
});
