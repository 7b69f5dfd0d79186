import { readChatRequest } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import type { JsonObject, Upstream } from '../provider.ts';
import { onePixelImage, testUpstream } from '../testing/chat-cases.ts';
import { describeChatAdaptor, readStreamedResponse } from '../testing/chat-suite.ts';
import { fittedRequest } from '../testing/fitted-request.ts';
import { passThroughEndpoint } from '../testing/pass-through-endpoint.ts';
import { chat } from './chat.ts';
import { embeddings, ollama } from './index.ts';

const headers = { 'content-type': 'application/json', authorization: 'Bearer test-key' };
const sent = (body: JsonObject) => ({
  method: 'POST' as const,
  url: 'https://upstream.test/api/chat',
  headers,
  body: { model: 'test-model', stream: false, ...body },
});
const weather = {
  name: 'weather',
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const line = (message: JsonObject, more: JsonObject = { done: false }) =>
  `${JSON.stringify({ model: 'llama3', created_at: '2025-01-01T00:00:00.5Z', message, ...more })}\n`;
const done = { done: true, done_reason: 'stop', prompt_eval_count: 11, eval_count: 2 };
const reply = (message: JsonObject, more: JsonObject = done) => ({
  model: 'llama3',
  created_at: '2025-01-01T00:00:00Z',
  message: { role: 'assistant', ...message },
  ...more,
});
const usage = { promptTokens: 11, completionTokens: 2 };

describeChatAdaptor('Ollama', {
  adaptor: chat,
  upstream: {},
  cases: {
    text: {
      sent: sent({ messages: [{ role: 'user', content: 'Say hello' }], options: { num_predict: 64 } }),
      replied: reply({ content: 'Hello' }),
      response: { choices: [{ content: 'Hello', finishReason: 'stop' }], usage },
    },
    conversation: {
      sent: sent({
        messages: [
          { role: 'user', content: 'My name is Ada' },
          { role: 'assistant', content: 'Hello Ada' },
          { role: 'user', content: 'What is my name?' },
        ],
        options: { temperature: 0.5 },
      }),
    },
    system: {
      sent: sent({
        messages: [
          { role: 'system', content: 'Be brief' },
          { role: 'system', content: 'Be kind' },
          { role: 'user', content: 'Hello' },
        ],
        options: { stop: ['END', 'STOP'] },
      }),
    },
    toolCall: { rejectedField: 'tool_choice' },
    toolResult: {
      sent: sent({
        messages: [
          { role: 'user', content: 'Weather in Oslo and Rome?' },
          {
            role: 'assistant',
            content: '',
            tool_calls: [
              { function: { name: 'weather', arguments: { city: 'Oslo' } } },
              { function: { name: 'weather', arguments: { city: 'Rome' } } },
            ],
          },
          { role: 'tool', content: 'rain', tool_name: 'weather' },
          { role: 'tool', content: 'sun', tool_name: 'weather' },
        ],
        tools: [{ type: 'function', function: weather }],
      }),
      replied: reply({
        content: '',
        thinking: 'Look',
        tool_calls: [
          { function: { name: 'weather', arguments: { city: 'Oslo' } } },
          { id: 'given', function: { name: 'time' } },
        ],
      }),
      response: {
        choices: [
          {
            content: '',
            reasoning: 'Look',
            toolCalls: [
              { id: 'call_20250101000000_0', name: 'weather', arguments: '{"city":"Oslo"}' },
              { id: 'given', name: 'time', arguments: '{}' },
            ],
            finishReason: 'tool_calls',
          },
        ],
        usage,
      },
    },
    image: {
      sent: sent({ messages: [{ role: 'user', content: 'What is this?', images: [onePixelImage] }] }),
    },
  },
  streams: {
    text: {
      bytes: [
        line({ thinking: 'Greet', content: '' }),
        line({ content: 'Grüße ' }),
        line({ content: '你好' }),
        line({ content: '' }, done),
      ].join(''),
      response: { choices: [{ content: 'Grüße 你好', reasoning: 'Greet', finishReason: 'stop' }], usage },
    },
    toolCall: {
      bytes: [
        line({ content: '', tool_calls: [{ function: { name: 'weather', arguments: { city: 'Oslo' } } }] }),
        line({ content: '', tool_calls: [{ function: { name: 'time', arguments: {} } }] }),
        line({ content: '' }, done),
      ].join(''),
      response: {
        choices: [
          {
            content: '',
            toolCalls: [
              { id: 'call_202501010000005_0', name: 'weather', arguments: '{"city":"Oslo"}' },
              { id: 'call_202501010000005_1', name: 'time', arguments: '{}' },
            ],
            finishReason: 'tool_calls',
          },
        ],
        usage,
      },
    },
  },
  problems: {
    401: { body: { error: 'unauthorized' }, message: 'unauthorized' },
    429: { body: { error: 'too many requests' }, message: 'too many requests' },
    500: { body: { error: 'model runner has stopped' }, message: 'model runner has stopped' },
  },
  errorInSuccess: { body: { error: 'out of memory' }, status: 502, message: 'out of memory' },
  emptyResponse: { model: 'llama3', done: true, done_reason: 'stop' },
  responseWithoutUsage: reply({ content: 'Hello' }, { done: true }),
});

describe('Ollama requests', () => {
  const body = (fields: JsonObject, model = 'llama3', config: Upstream['config'] = {}) => {
    const request = fittedRequest(chat, { messages: [{ role: 'user', content: 'Hi' }], ...fields });
    return JSON.parse(
      chat.encode(request, { ...testUpstream, model, config, isStream: true }).body ?? '',
    ) as JsonObject;
  };

  test('sends every setting as an option', () => {
    const given = { top_p: 0.9, top_k: 5, seed: 7, frequency_penalty: 0.1, presence_penalty: 0.2 };
    expect(body({ ...given, temperature: -1 })).toEqual({
      model: 'llama3',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
      options: { ...given, temperature: 0 },
    });
  });

  test("uses the channel's context size and keep_alive, not the client's", () => {
    const requestBody = { num_ctx: 1_000_000, keep_alive: 0, options: { num_ctx: 1_000_000 } };
    expect(body(requestBody)).not.toHaveProperty('options');
    expect(body(requestBody)).not.toHaveProperty('keep_alive');
    const config = { num_ctx: '8192', keep_alive: '10m' };
    expect(body(requestBody, 'llama3', config)).toMatchObject({ options: { num_ctx: 8192 }, keep_alive: '10m' });
    expect(body(requestBody, 'llama3', { keep_alive: '-1' })).toMatchObject({ keep_alive: -1 });
    const compatible = passThroughEndpoint(ollama, 'chat', { baseUrl: 'http://localhost:11434/v1' });
    expect(compatible.drops?.(requestBody, testUpstream)).toEqual(['keep_alive', 'num_ctx', 'options']);
  });

  test('requests JSON with a schema', () => {
    const schema = { type: 'object' };
    expect(body({ response_format: { type: 'json_object' } })['format']).toBe('json');
    const format = { type: 'json_schema', json_schema: { name: 'a', schema } };
    expect(body({ response_format: format })['format']).toEqual(schema);
  });

  test.each([
    ['qwen3', 'none', false],
    ['qwen3', 'low', true],
    ['gpt-oss:20b', 'minimal', 'low'],
    ['gpt-oss:20b', 'medium', 'medium'],
    ['gpt-oss:20b', 'none', 'low'],
  ])('maps the effort for %s: %s', (model, reasoning_effort, think) => {
    expect(body({ reasoning_effort }, model)['think']).toBe(think);
  });

  test('sends reasoning back, and rejects malformed arguments and names the field', () => {
    const message = { role: 'assistant', content: 'A', reasoning_content: 'B' };
    expect(body({ messages: [message] })['messages']).toEqual([{ role: 'assistant', content: 'A', thinking: 'B' }]);
    const call = (json: string) => ({ id: 'c', function: { name: 'f', arguments: json } });
    for (const json of ['{', '[]']) {
      expect(() => body({ messages: [{ ...message, tool_calls: [call(json)] }] })).toThrow(
        'messages[0].tool_calls[0].function.arguments',
      );
    }
  });

  test('sends no authorization header without a key', () => {
    const request = readChatRequest({ messages: [] });
    expect(chat.encode(request, { ...testUpstream, key: '' }).headers).toEqual({ 'content-type': 'application/json' });
  });
});

describe('Ollama responses', () => {
  test.each([
    ['length', 'length'],
    ['stop', 'stop'],
    ['custom', 'stop'],
  ])('maps done reason %s to %s', (done_reason, finishReason) => {
    const response = chat.decode?.(reply({ content: 'So' }, { done: true, done_reason }));
    expect(response?.choices[0]?.finishReason).toBe(finishReason);
  });

  test('fails on an error inside a stream', () => {
    const bytes = Buffer.from(`${line({ content: 'He' })}{"error":"it broke"}\n`);
    expect(() => readStreamedResponse(chat, [bytes])).toThrow('it broke');
  });

  test('ignores malformed values', () => {
    expect(readStreamedResponse(chat, [Buffer.from('7\nnull\n{"message":[],"done":"yes"}\n')])).toBeUndefined();
    expect(chat.decode?.({ message: { content: {} }, done: true }).choices).toEqual([
      { content: '', finishReason: 'stop' },
    ]);
    expect(() => chat.decode?.({ message: { content: 'cut' }, done: false })).toThrow('no message');
  });
});

describe('other Ollama endpoints', () => {
  test('embeds texts', () => {
    const request = embeddings.encode({ input: 'a', dimensions: 4 }, testUpstream);
    expect({ ...request, body: JSON.parse(request.body ?? '') as unknown }).toEqual({
      method: 'POST',
      url: 'https://upstream.test/api/embed',
      headers,
      body: { model: 'test-model', input: ['a'], dimensions: 4 },
    });
    expect(embeddings.decode({ embeddings: [[1, 2]], prompt_eval_count: 3 }, testUpstream)).toMatchObject({
      reply: { data: [{ index: 0, embedding: [1, 2] }] },
      usage: { promptTokens: 3, completionTokens: 0 },
    });
    expect(() => embeddings.decode({ error: 'no' }, testUpstream)).toThrow('no embeddings');
  });

  test('lists the pulled models', () => {
    expect(ollama.modelList?.request({ ...testUpstream, baseUrl: 'http://host/v1' }).url).toBe('http://host/api/tags');
    expect(ollama.modelList?.read({ models: [{ name: 'llama3:latest' }, {}, null] })).toEqual(['llama3:latest']);
  });

  test("uses OpenAI's dialect under /v1", () => {
    const compatible = { ...testUpstream, baseUrl: 'http://host/v1' };
    const endpoint = typeof ollama.chat === 'function' ? ollama.chat(compatible) : undefined;
    expect(endpoint?.kind === 'pass' && endpoint.send(compatible)).toEqual({
      url: 'http://host/v1/chat/completions',
      headers: { authorization: 'Bearer test-key' },
    });
  });
});
