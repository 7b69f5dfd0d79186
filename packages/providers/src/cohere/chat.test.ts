import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../provider.ts';
import { onePixelImage, testUpstream } from '../testing/chat-cases.ts';
import { describeChatAdaptor, readStreamedResponse } from '../testing/chat-suite.ts';
import { fittedRequest } from '../testing/fitted-request.ts';
import { chat } from './chat.ts';
import { cohere, embeddings } from './index.ts';

const headers = { 'content-type': 'application/json', authorization: 'Bearer test-key' };
const sent = (body: JsonObject) => ({
  method: 'POST' as const,
  url: 'https://upstream.test/v2/chat',
  headers,
  body: { model: 'test-model', stream: false, ...body },
});
const tools = [
  {
    type: 'function',
    function: {
      name: 'weather',
      description: 'The weather of a city',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
];
const usage = {
  billed_units: { input_tokens: 3, output_tokens: 2 },
  tokens: { input_tokens: 66, output_tokens: 12, reasoning_tokens: 5 },
  cached_tokens: 32,
};
const reported = {
  promptTokens: 66,
  completionTokens: 12,
  cachedTokens: 32,
  reasoningTokens: 5,
};
const replied = {
  id: 'i1',
  message: { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
  finish_reason: 'COMPLETE',
  usage: { tokens: { input_tokens: 8, output_tokens: 2 } },
};
const event = (type: string, fields: JsonObject = {}) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
const message = (fields: JsonObject) => ({ delta: { message: fields } });
const content = (fields: JsonObject) => event('content-delta', { index: 0, ...message({ content: fields }) });
const call = (type: string, fields: JsonObject) => event(`tool-call-${type}`, message({ tool_calls: fields }));
const end = (finish_reason: string, more: JsonObject = { usage }) =>
  event('message-end', { delta: { finish_reason, ...more } });

const callStream = [
  event('message-start', { id: 'i1' }),
  event('tool-plan-delta', message({ tool_plan: 'I will ' })),
  event('tool-plan-delta', message({ tool_plan: 'look.' })),
  call('start', { id: 'c1', type: 'function', function: { name: 'weather', arguments: '' } }),
  call('delta', { function: { arguments: '{"city":' } }),
  call('delta', { function: { arguments: '"Oslo"}' } }),
  event('tool-call-end', { index: 0 }),
  call('start', { id: 'c2', type: 'function', function: { name: 'time', arguments: '' } }),
  event('tool-call-end', { index: 1 }),
  call('start', { id: 'c3', type: 'function', function: { name: 'date', arguments: '' } }),
  call('delta', { function: { arguments: 'null' } }),
  event('tool-call-end', { index: 2 }),
  end('TOOL_CALL'),
  'data: [DONE]\n\n',
].join('');

describeChatAdaptor('Cohere', {
  adaptor: chat,
  upstream: {},
  cases: {
    text: {
      sent: sent({ messages: [{ role: 'user', content: 'Say hello' }], max_tokens: 64 }),
      replied,
      response: {
        choices: [{ content: 'Hello', finishReason: 'stop' }],
        usage: { promptTokens: 8, completionTokens: 2 },
      },
    },
    conversation: {
      sent: sent({
        messages: [
          { role: 'user', content: 'My name is Ada' },
          { role: 'assistant', content: 'Hello Ada' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is ' },
              { type: 'text', text: 'my name?' },
            ],
          },
        ],
        temperature: 0.5,
      }),
    },
    system: {
      sent: sent({
        messages: [
          { role: 'system', content: 'Be brief' },
          { role: 'system', content: 'Be kind' },
          { role: 'user', content: 'Hello' },
        ],
        stop_sequences: ['END', 'STOP'],
      }),
    },
    toolCall: {
      sent: sent({ messages: [{ role: 'user', content: 'Weather in Oslo?' }], tools, tool_choice: 'REQUIRED' }),
      replied: {
        message: {
          role: 'assistant',
          tool_plan: 'I will look.',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
            { id: 'c2', type: 'function', function: { name: 'time', arguments: 'null' } },
          ],
        },
        finish_reason: 'TOOL_CALL',
        usage,
      },
      response: {
        choices: [
          {
            content: '',
            reasoning: 'I will look.',
            toolCalls: [
              { id: 'c1', name: 'weather', arguments: '{"city":"Oslo"}' },
              { id: 'c2', name: 'time', arguments: '{}' },
            ],
            finishReason: 'tool_calls',
          },
        ],
        usage: reported,
      },
    },
    toolResult: {
      sent: sent({
        messages: [
          { role: 'user', content: 'Weather in Oslo and Rome?' },
          {
            role: 'assistant',
            tool_calls: [
              { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } },
              { id: 'call_2', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } },
            ],
          },
          { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
          { role: 'tool', tool_call_id: 'call_2', content: 'sun' },
        ],
        tools,
      }),
    },
    image: {
      sent: sent({
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is this?' },
              { type: 'image_url', image_url: { url: `data:image/png;base64,${onePixelImage}` } },
            ],
          },
        ],
      }),
    },
  },
  streams: {
    text: {
      bytes: [
        event('message-start', { id: 'i1' }),
        event('content-start', message({ content: { type: 'thinking', thinking: '' } })),
        content({ thinking: 'Greet' }),
        event('content-end', { index: 0 }),
        content({ text: 'Grüße ' }),
        content({ text: '你好' }),
        event('citation-start', message({ citations: {} })),
        end('COMPLETE'),
        'data: [DONE]\n\n',
      ].join(''),
      response: { choices: [{ content: 'Grüße 你好', reasoning: 'Greet', finishReason: 'stop' }], usage: reported },
    },
    toolCall: {
      bytes: callStream,
      response: {
        choices: [
          {
            content: '',
            reasoning: 'I will look.',
            toolCalls: [
              { id: 'c1', name: 'weather', arguments: '{"city":"Oslo"}' },
              { id: 'c2', name: 'time', arguments: '{}' },
              { id: 'c3', name: 'date', arguments: '{}' },
            ],
            finishReason: 'tool_calls',
          },
        ],
        usage: reported,
      },
    },
  },
  problems: {
    401: { body: { id: 'e1', message: 'invalid api token' }, message: 'invalid api token' },
    429: { body: { message: 'You are using a Trial key' }, message: 'You are using a Trial key' },
    500: { body: { message: 'internal server error' }, message: 'internal server error' },
  },
  errorInSuccess: { body: { message: 'no such thing' }, status: 502, message: 'no such thing' },
  emptyResponse: { id: 'i1', message: { role: 'assistant', content: [] } },
  responseWithoutUsage: { ...replied, usage: null },
});

describe('Cohere requests', () => {
  const body = (fields: JsonObject, model = 'command-a-03-2025') => {
    const request = fittedRequest(chat, { messages: [{ role: 'user', content: 'Hi' }], ...fields });
    return JSON.parse(chat.encode(request, { ...testUpstream, model }).body ?? '') as JsonObject;
  };
  const tool = (name: string) => ({ type: 'function', function: { name } });

  test('sends every setting, clamped to its range', () => {
    const given = { temperature: 2, top_p: 1, top_k: 5, seed: 7, frequency_penalty: -1, presence_penalty: 2 };
    expect(body(given)).toMatchObject({
      temperature: 1,
      p: 0.99,
      k: 5,
      seed: 7,
      frequency_penalty: 0,
      presence_penalty: 1,
    });
  });

  test('offers only the forced tool', () => {
    const offered = { tools: [tool('a'), tool('b')] };
    const chosen = body({ ...offered, tool_choice: tool('b') });
    expect(chosen['tool_choice']).toBe('REQUIRED');
    expect(chosen['tools']).toEqual([
      { type: 'function', function: { name: 'b', parameters: { type: 'object', properties: {} } } },
    ]);
    expect(body({ ...offered, tool_choice: 'none' })['tool_choice']).toBe('NONE');
    expect(body({ ...offered, tool_choice: 'auto' })['tool_choice']).toBeUndefined();
    expect(() => body({ ...offered, tool_choice: tool('c') })).toThrow('tool_choice');
  });

  test('requests JSON with a schema', () => {
    const schema = { type: 'object' };
    expect(body({ response_format: { type: 'json_object' } })['response_format']).toEqual({ type: 'json_object' });
    expect(
      body({ response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } })['response_format'],
    ).toEqual({ type: 'json_object', json_schema: schema });
  });

  test.each([
    ['low', 'command-a-reasoning-08-2025', { type: 'enabled', token_budget: 1024 }],
    ['high', 'command-a-reasoning-08-2025', { type: 'enabled' }],
    ['none', 'command-a-reasoning-08-2025', { type: 'disabled' }],
    ['none', 'command-r', undefined],
  ])('maps an effort of %s for %s', (reasoning_effort, model, thinking) => {
    expect(body({ reasoning_effort }, model)['thinking']).toEqual(thinking);
  });

  test('sends the text before a tool call back as the tool plan', () => {
    const calls = [{ id: 'c1', function: { name: 'weather', arguments: '' } }];
    const messages = [{ role: 'assistant', content: 'Wait', reasoning_content: 'I will look.', tool_calls: calls }];
    expect(body({ messages })['messages']).toEqual([
      {
        role: 'assistant',
        content: 'Wait',
        tool_plan: 'I will look.',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' } }],
      },
    ]);
  });
});

describe('Cohere responses', () => {
  test.each([
    ['STOP_SEQUENCE', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['ERROR_TOXIC', 'content_filter'],
  ])('maps finish reason %s to %s', (finish_reason, finishReason) => {
    expect(chat.decode?.({ ...replied, finish_reason }).choices[0]?.finishReason).toBe(finishReason);
  });

  test.each(['ERROR', 'TIMEOUT', 'NEW'])('treats finish reason %s as an upstream error, in streams too', (reason) => {
    expect(() => chat.decode?.({ ...replied, finish_reason: reason })).toThrow('aborted the response');
    expect(() => readStreamedResponse(chat, [Buffer.from(end(reason, { error: 'It broke' }))])).toThrow('It broke');
  });

  test('reports billed tokens when no other counts are reported, and counts images as prompt', () => {
    expect(chat.decode?.({ ...replied, usage: { billed_units: usage.billed_units } }).usage).toEqual({
      promptTokens: 3,
      completionTokens: 2,
    });
    const tokens = { input_tokens: 34, output_tokens: 70, image_tokens: 259 };
    expect(chat.decode?.({ ...replied, usage: { tokens } }).usage?.promptTokens).toBe(293);
  });

  test('ignores malformed values', () => {
    const odd = { message: { content: 'text', tool_calls: {} }, finish_reason: 'COMPLETE', usage: [] };
    expect(chat.decode?.(odd)).toEqual({ choices: [{ content: '', finishReason: 'stop' }], usage: undefined });
    expect(
      readStreamedResponse(chat, [Buffer.from('data: 7\n\ndata: null\n\ndata: {"type":"content-delta"}\n\n')]),
    ).toBeUndefined();
  });
});

describe('other Cohere endpoints', () => {
  test('embeds texts', () => {
    const { body, ...rest } = embeddings.encode({ input: 'a', dimensions: 256 }, testUpstream);
    expect(rest).toEqual({ method: 'POST', url: 'https://upstream.test/v2/embed', headers });
    expect(JSON.parse(body ?? '')).toEqual({
      model: 'test-model',
      texts: ['a'],
      input_type: 'search_document',
      embedding_types: ['float'],
      output_dimension: 256,
    });
    const encodedBody = embeddings.encode({ input: 'a', input_type: 'search_query' }, testUpstream).body ?? '';
    expect(JSON.parse(encodedBody)).toMatchObject({ input_type: 'search_query' });
    const response = { embeddings: { float: [[1, 2]] }, meta: { billed_units: { input_tokens: 4 } } };
    expect(embeddings.decode(response, testUpstream)).toMatchObject({
      reply: { data: [{ index: 0, embedding: [1, 2] }], usage: { prompt_tokens: 4, total_tokens: 4 } },
      usage: { promptTokens: 4, completionTokens: 0 },
    });
    expect(() => embeddings.decode({ embeddings: { float: [] } }, testUpstream)).toThrow('no embeddings');
  });

  test('lists models for chat, embeddings and reranking', () => {
    expect(cohere.modelList?.request(testUpstream)).toEqual({
      method: 'GET',
      url: 'https://upstream.test/v1/models?page_size=1000',
      headers: { authorization: 'Bearer test-key' },
    });
    const models = [
      { name: 'command-a-03-2025', endpoints: ['chat', 'generate'] },
      { name: 'embed-v4.0', endpoints: ['embed'] },
      { name: 'rerank-v3.5', endpoints: ['rerank'] },
      { name: 'spam-ft', endpoints: ['classify'] },
      7,
    ];
    expect(cohere.modelList?.read({ models })).toEqual(['command-a-03-2025', 'embed-v4.0', 'rerank-v3.5']);
  });

  test("uses OpenAI's dialect at the compatibility URL", () => {
    const compatible = { ...testUpstream, baseUrl: 'https://upstream.test/compatibility' };
    const endpoint = typeof cohere.chat === 'function' ? cohere.chat(compatible) : undefined;
    if (endpoint?.kind !== 'pass') throw new Error('not passed through');
    expect(endpoint.send(compatible).url).toBe('https://upstream.test/compatibility/v1/chat/completions');
    expect(endpoint.rejectsStreamOptions).toBe(true);
  });
});
