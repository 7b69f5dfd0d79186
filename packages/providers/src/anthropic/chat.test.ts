import {
  anthropicMessages,
  type ChatDelta,
  RequestProblem,
  readChatRequest,
  UpstreamProblem,
} from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { describeChatAdaptor, readStreamedResponse } from '../testing/chat-suite.ts';
import { claudeBodies, userText, weather } from '../testing/claude-bodies.ts';
import { fittedRequest } from '../testing/fitted-request.ts';
import { chat } from './chat.ts';
import { anthropic } from './index.ts';
import { messagesBody } from './messages-request.ts';

const sent = (body: JsonObject) => ({
  method: 'POST' as const,
  url: 'https://upstream.test/v1/messages',
  headers: { 'content-type': 'application/json', 'x-api-key': 'test-key', 'anthropic-version': '2023-06-01' },
  body: { model: 'test-model', ...body },
});

const message = (content: readonly JsonObject[], stopReason: string, usage?: JsonObject) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'test-model',
  content,
  stop_reason: stopReason,
  ...(usage && { usage }),
});

const sse = (...events: readonly JsonObject[]) =>
  events.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`).join('');

const start = (usage: JsonObject) => ({
  type: 'message_start',
  message: { ...message([], 'end_turn'), stop_reason: null, usage },
});
const blockStart = (index: number, block: JsonObject) => ({
  type: 'content_block_start',
  index,
  content_block: block,
});
const blockDelta = (index: number, delta: JsonObject) => ({ type: 'content_block_delta', index, delta });
const blockStop = (index: number) => ({ type: 'content_block_stop', index });
const finish = (stopReason: string, usage: JsonObject) => ({
  type: 'message_delta',
  delta: { stop_reason: stopReason, stop_sequence: null },
  usage,
});

describeChatAdaptor('Anthropic', {
  adaptor: chat,
  upstream: {},
  cases: {
    text: {
      sent: sent({ max_tokens: 64, messages: [userText('Say hello')] }),
      replied: message([{ type: 'text', text: 'Hello' }], 'end_turn', { input_tokens: 9, output_tokens: 3 }),
      response: {
        choices: [{ content: 'Hello', finishReason: 'stop' }],
        usage: { promptTokens: 9, completionTokens: 3 },
      },
    },
    conversation: { sent: sent({ max_tokens: 4096, ...claudeBodies.conversation }) },
    system: {
      sent: sent({
        max_tokens: 4096,
        system: 'Be brief\n\nBe kind',
        messages: [userText('Hello')],
        stop_sequences: ['END', 'STOP'],
      }),
    },
    toolCall: {
      sent: sent({
        max_tokens: 4096,
        messages: [userText('Weather in Oslo?')],
        tools: [weather],
        tool_choice: { type: 'any' },
      }),
      replied: message(
        [
          { type: 'thinking', thinking: 'A tool helps.', signature: 'c2ln' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } },
          { type: 'tool_use', id: 'toolu_2', name: 'weather', input: {} },
        ],
        'tool_use',
        {
          input_tokens: 20,
          cache_creation_input_tokens: 7,
          cache_read_input_tokens: 100,
          output_tokens: 40,
          output_tokens_details: { thinking_tokens: 12 },
        },
      ),
      response: {
        choices: [
          {
            content: 'I look.',
            reasoning: 'A tool helps.',
            thoughts: [{ text: 'A tool helps.', maker: 'anthropic', signature: 'c2ln' }],
            toolCalls: [
              { id: 'toolu_1', name: 'weather', arguments: '{"city":"Oslo"}' },
              { id: 'toolu_2', name: 'weather', arguments: '{}' },
            ],
            finishReason: 'tool_calls',
          },
        ],
        usage: {
          promptTokens: 127,
          completionTokens: 40,
          cachedTokens: 100,
          cacheWriteTokens: 7,
          reasoningTokens: 12,
        },
      },
    },
    toolResult: { sent: sent({ max_tokens: 4096, ...claudeBodies.toolResult }) },
    image: { sent: sent({ max_tokens: 4096, ...claudeBodies.image }) },
  },
  streams: {
    text: {
      bytes: sse(
        start({ input_tokens: 9, output_tokens: 1 }),
        blockStart(0, { type: 'thinking', thinking: '', signature: '' }),
        blockDelta(0, { type: 'thinking_delta', thinking: 'Greet "back" ' }),
        blockDelta(0, { type: 'thinking_delta', thinking: 'them' }),
        blockDelta(0, { type: 'signature_delta', signature: 'c2ln' }),
        blockStop(0),
        blockStart(1, { type: 'text', text: '' }),
        { type: 'ping' },
        blockDelta(1, { type: 'text_delta', text: 'Grüß ' }),
        blockDelta(1, { type: 'text_delta', text: '"dich"\n' }),
        blockDelta(1, { type: 'text_delta', text: 'C:\\ 🌍' }),
        { type: 'something_new', delta: { text: 'no' } },
        blockStop(1),
        finish('end_turn', { output_tokens: 30, cache_read_input_tokens: 4 }),
        { type: 'message_stop' },
      ),
      response: {
        choices: [
          {
            content: 'Grüß "dich"\nC:\\ 🌍',
            reasoning: 'Greet "back" them',
            thoughts: [{ text: 'Greet "back" them', maker: 'anthropic', signature: 'c2ln' }],
            finishReason: 'stop',
          },
        ],
        usage: { promptTokens: 13, completionTokens: 30, cachedTokens: 4 },
      },
    },
    toolCall: {
      bytes: sse(
        start({ input_tokens: 50, output_tokens: 2 }),
        blockStart(0, { type: 'text', text: '' }),
        blockDelta(0, { type: 'text_delta', text: 'I look.' }),
        blockStop(0),
        blockStart(1, { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} }),
        blockDelta(1, { type: 'input_json_delta', partial_json: '' }),
        blockDelta(1, { type: 'input_json_delta', partial_json: '{"city":' }),
        blockDelta(1, { type: 'input_json_delta', partial_json: '"Oslo"}' }),
        blockStop(1),
        blockStart(2, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }),
        blockDelta(2, { type: 'input_json_delta', partial_json: '{"query":"x"}' }),
        blockStop(2),
        blockStart(3, { type: 'tool_use', id: 'toolu_2', name: 'now', input: {} }),
        blockStop(3),
        finish('tool_use', { output_tokens: 60 }),
        { type: 'message_stop' },
      ),
      response: {
        choices: [
          {
            content: 'I look.',
            toolCalls: [
              { id: 'toolu_1', name: 'weather', arguments: '{"city":"Oslo"}' },
              { id: 'toolu_2', name: 'now', arguments: '{}' },
            ],
            finishReason: 'tool_calls',
          },
        ],
        usage: { promptTokens: 50, completionTokens: 60 },
      },
    },
  },
  problems: {
    401: {
      body: { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } },
      message: 'invalid x-api-key',
    },
    429: {
      body: { type: 'error', error: { type: 'rate_limit_error', message: 'Too many requests' } },
      message: 'Too many requests',
    },
    500: {
      body: { type: 'error', error: { type: 'api_error', message: 'Internal server error' } },
      message: 'Internal server error',
    },
  },
  errorInSuccess: {
    body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    status: 503,
    message: 'Overloaded',
  },
  emptyResponse: { type: 'message', role: 'assistant', content: [], stop_reason: null },
  responseWithoutUsage: message([{ type: 'text', text: 'Hello' }], 'end_turn'),
});

const bodyOf = (requestBody: JsonObject, model = 'test-model') => {
  const request = fittedRequest(chat, { messages: [{ role: 'user', content: 'Hello' }], ...requestBody });
  return JSON.parse(chat.encode(request, { ...testUpstream, model }).body ?? '') as JsonObject;
};

describe('Anthropic requests', () => {
  test('requests a stream', () => {
    const request = readChatRequest({ messages: [{ role: 'user', content: 'Hello' }], stream: true });
    expect(JSON.parse(chat.encode(request, { ...testUpstream, isStream: true }).body ?? '')).toMatchObject({
      stream: true,
    });
  });

  test("forwards the client's betas and version, but never its key", () => {
    const clientHeaders = { 'anthropic-beta': 'a,b', 'anthropic-version': '2027-01-01' };
    const request = readChatRequest({ messages: [{ role: 'user', content: 'hi' }] });
    expect(chat.encode(request, { ...testUpstream, clientHeaders }).headers).toEqual({
      'content-type': 'application/json',
      ...clientHeaders,
      'x-api-key': 'test-key',
    });
  });

  test("clamps the temperature to Anthropic's range, and omits a top_p of 1, which has no effect", () => {
    expect(bodyOf({ temperature: 1.7, top_p: 1, top_k: 5, user: 'u-1' })).toEqual({
      model: 'test-model',
      max_tokens: 4096,
      messages: [userText('Hello')],
      temperature: 1,
      top_k: 5,
      metadata: { user_id: 'u-1' },
    });
    expect(bodyOf({ top_p: 0.9 })['top_p']).toBe(0.9);
  });

  test.each([
    ['auto', { type: 'auto' }],
    ['none', { type: 'none' }],
    ['required', { type: 'any' }],
    [
      { type: 'function', function: { name: 'now' } },
      { type: 'tool', name: 'now' },
    ],
  ])('maps tool_choice %j to %j', (choice, wanted) => {
    const tools = [{ type: 'function', function: { name: 'now' } }];
    expect(bodyOf({ tools, tool_choice: choice })).toMatchObject({
      tools: [{ name: 'now', input_schema: { type: 'object', properties: {} } }],
      tool_choice: wanted,
    });
  });

  test('disables parallel tool calls', () => {
    const tools = [{ type: 'function', function: { name: 'now' } }];
    expect(bodyOf({ tools, parallel_tool_calls: false })['tool_choice']).toEqual({
      type: 'auto',
      disable_parallel_tool_use: true,
    });
    expect(bodyOf({ tools, parallel_tool_calls: false, tool_choice: 'none' })['tool_choice']).toEqual({ type: 'none' });
  });

  test('sends an image by URL, a PDF and a text', () => {
    const content = [
      { type: 'image_url', image_url: { url: 'https://pictures.test/a.png' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
      { type: 'file', file: { file_data: 'data:text/markdown;base64,SGVsbG8=' } },
    ];
    expect(bodyOf({ messages: [{ role: 'user', content }] })['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'url', url: 'https://pictures.test/a.png' } },
          {
            type: 'document',
            source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
            title: 'a.pdf',
          },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Hello' } },
        ],
      },
    ]);
    const sheet = [{ type: 'file', file: { file_data: 'data:application/zip;base64,AAAA' } }];
    expect(() => bodyOf({ messages: [{ role: 'user', content: sheet }] })).toThrow(RequestProblem);
  });

  test('merges turns of the same role, drops empty texts and sanitizes ids', () => {
    const messages = [
      { role: 'user', content: 'One' },
      { role: 'user', content: '' },
      { role: 'user', content: 'Two' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'call:1|x', type: 'function', function: { name: 'now', arguments: '' } }],
      },
      { role: 'tool', tool_call_id: 'call:1|x', content: 'noon' },
      { role: 'user', content: 'And?' },
    ];
    expect(bodyOf({ messages })['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'One' },
          { type: 'text', text: 'Two' },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1_x', name: 'now', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1_x', content: 'noon' },
          { type: 'text', text: 'And?' },
        ],
      },
    ]);
  });

  test('sends tool results with images and errors', () => {
    const image = { type: 'image', image: { mediaType: 'image/png', data: 'AAAA' } } as const;
    const text = { type: 'text', text: 'see' } as const;
    const request = readChatRequest({ messages: [] });
    const result = { role: 'tool', toolCallId: 't', text: 'see', isError: true } as const;
    const { messages } = messagesBody({ ...request, messages: [{ ...result, parts: [text, image] }] }, 'test-model');
    const shown = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [text, shown], is_error: true }] },
    ]);
    expect(chat.supportsImagesInToolResults).toBe(true);
  });

  test('keeps system messages in place for models that support it, otherwise moves them to the start', () => {
    const messages = [
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: 'One' },
      { role: 'system', content: 'In Latin' },
      { role: 'assistant', content: 'Unus' },
      { role: 'system', content: 'No more' },
      { role: 'user', content: 'Two' },
    ];
    const inside = bodyOf({ messages }, 'claude-opus-4-8');
    expect(inside['system']).toBe('Be brief\n\nNo more');
    expect(inside['messages']).toMatchObject([
      { role: 'user' },
      { role: 'system', content: 'In Latin' },
      { role: 'assistant' },
      { role: 'user' },
    ]);
    for (const model of ['claude-sonnet-5', 'claude-opus-4-6', 'test-model']) {
      const before = bodyOf({ messages }, model);
      expect(before['system']).toBe('Be brief\n\nIn Latin\n\nNo more');
      expect(before['messages']).toMatchObject([{ role: 'user' }, { role: 'assistant' }, { role: 'user' }]);
    }
  });

  test('makes a tool strict for models that support it', () => {
    const parameters = { type: 'object', properties: { a: { type: 'object', properties: {} } } };
    const tools = [{ type: 'function', function: { name: 'now', parameters, strict: true } }];
    expect(bodyOf({ tools }, 'claude-sonnet-4-5')['tools']).toEqual([
      {
        name: 'now',
        input_schema: {
          type: 'object',
          properties: { a: { type: 'object', properties: {}, additionalProperties: false } },
          additionalProperties: false,
        },
        strict: true,
      },
    ]);
    expect(bodyOf({ tools }, 'claude-3-5-haiku-latest')['tools']).toEqual([{ name: 'now', input_schema: parameters }]);
  });

  test('rejects arguments that are not an object', () => {
    const call = { id: 'c', type: 'function', function: { name: 'now', arguments: '{"a"' } };
    expect(() => bodyOf({ messages: [{ role: 'assistant', tool_calls: [call] }] })).toThrow(RequestProblem);
  });

  test('adds additionalProperties: false to an output schema', () => {
    const schema = {
      type: 'object',
      properties: { names: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } } },
      default: { type: 'object' },
    };
    const format = { type: 'json_schema', json_schema: { name: 'people', schema } };
    expect(bodyOf({ response_format: format })['output_config']).toEqual({
      format: {
        type: 'json_schema',
        schema: {
          type: 'object',
          properties: {
            names: {
              type: 'array',
              items: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
            },
          },
          default: { type: 'object' },
          additionalProperties: false,
        },
      },
    });
  });
});

describe('Anthropic reasoning settings', () => {
  const thinkingOf = (requestBody: JsonObject, model: string) => {
    const { max_tokens, thinking, output_config } = bodyOf(requestBody, model);
    return { max_tokens, thinking, output_config };
  };
  const summarized = { type: 'adaptive', display: 'summarized' };
  const tools = [{ type: 'function', function: { name: 'now' } }];

  test.each(['claude-3-7-sonnet-20250219', 'claude-opus-4-20250514', 'claude-opus-4-5@20251101', 'claude-sonnet-4.5'])(
    'sends a token budget to %s',
    (model) => {
      expect(thinkingOf({ reasoning_effort: 'medium' }, model)).toEqual({
        max_tokens: 12_288,
        thinking: { type: 'enabled', budget_tokens: 8192 },
      });
    },
  );

  test.each(['claude-opus-4-6', 'us.anthropic.claude-sonnet-4-6', 'claude-sonnet-5', 'claude-opus-5-5', 'named-by-us'])(
    'sends an effort to %s',
    (model) => {
      expect(thinkingOf({ reasoning_effort: 'high', max_tokens: 100 }, model)).toEqual({
        max_tokens: 100,
        thinking: summarized,
        output_config: { effort: 'high' },
      });
      expect(thinkingOf({ reasoning_effort: 'none' }, model)).toEqual({
        max_tokens: 4096,
        output_config: { effort: 'low' },
      });
    },
  );

  test('adds room for the response to the reasoning budget', () => {
    expect(thinkingOf({ reasoning_effort: 'high', max_tokens: 5000 }, 'claude-sonnet-4-5')).toEqual({
      max_tokens: 5000,
      thinking: { type: 'enabled', budget_tokens: 4000 },
    });
    expect(thinkingOf({ reasoning_effort: 'high', max_tokens: 1200 }, 'claude-sonnet-4-5')).toEqual({
      max_tokens: 1200,
    });
  });

  test('disables reasoning for a forced tool, and after a tool result without its reasoning', () => {
    const forced = { reasoning_effort: 'low', tools, tool_choice: 'required' };
    expect(thinkingOf(forced, 'claude-sonnet-4-5')).toEqual({ max_tokens: 4096 });
    expect(thinkingOf(forced, 'claude-sonnet-5')).toEqual({ max_tokens: 4096, output_config: { effort: 'low' } });
    const messages = [{ role: 'tool', tool_call_id: 'c', content: 'noon' }];
    expect(thinkingOf({ reasoning_effort: 'low', messages }, 'claude-sonnet-4-5')).toEqual({ max_tokens: 4096 });
  });

  test.each([
    ['anthropic-claude-v1', 'c2ln', true],
    ['google-gemini-v1', 'c2ln', false],
    ['anthropic-claude-v1', undefined, false],
  ])(
    'keeps reasoning enabled after a tool result only if the client sends back a Claude signature: format %s, signature %s, enabled %s',
    (format, signature, isOn) => {
      const detail = { type: 'reasoning.text', text: 'Hm', signature, format };
      const call = (id: string) => ({ id, type: 'function', function: { name: 'now', arguments: '{}' } });
      const messages = [
        { role: 'user', content: 'When?' },
        { role: 'assistant', reasoning_details: [detail], tool_calls: [call('a')] },
        { role: 'tool', tool_call_id: 'a', content: 'noon' },
        { role: 'assistant', tool_calls: [call('b')] },
        { role: 'tool', tool_call_id: 'b', content: 'noon' },
      ];
      const sent = bodyOf({ reasoning_effort: 'low', messages }, 'claude-sonnet-4-5');
      expect(sent['thinking'] !== undefined).toBe(isOn);
      const thought = { type: 'thinking', thinking: 'Hm', signature: 'c2ln' };
      const use = { type: 'tool_use', id: 'a', name: 'now', input: {} };
      expect(sent['messages']).toMatchObject([{}, { content: isOn ? [thought, use] : [use] }, {}, {}, {}]);
    },
  );

  test("keeps the client's own thinking field", () => {
    const thinking = { type: 'enabled', budget_tokens: 2000 };
    expect(thinkingOf({ thinking, max_tokens: 4000 }, 'claude-sonnet-4-5')).toEqual({ max_tokens: 4000, thinking });
  });

  test.each([
    ['claude-opus-4-8', { type: 'adaptive' }, { thinking: { type: 'adaptive' }, output_config: { effort: 'max' } }],
    ['claude-sonnet-4-5', { type: 'adaptive' }, { thinking: { type: 'enabled', budget_tokens: 32_768 } }],
    ['claude-3-5-haiku-latest', { type: 'adaptive' }, {}],
    ['claude-opus-4-8', { type: 'disabled' }, { thinking: { type: 'disabled' }, output_config: { effort: 'max' } }],
    [
      'claude-opus-4-8',
      { type: 'enabled', budget_tokens: 2000 },
      { thinking: summarized, output_config: { effort: 'max' } },
    ],
    [
      'claude-opus-4-6',
      { type: 'enabled', budget_tokens: 2000 },
      { thinking: { type: 'enabled', budget_tokens: 2000 }, output_config: { effort: 'max' } },
    ],
  ])("adapts Anthropic clients' settings for %s: %j", (model, thinking, wanted) => {
    const requestBody = { max_tokens: 60_000, messages: [{ role: 'user', content: 'Hi' }], thinking };
    const request = anthropicMessages.readRequest({ ...requestBody, output_config: { effort: 'max' } }, {});
    const { max_tokens: _limit, messages: _messages, ...sent } = messagesBody(request, model);
    expect(sent).toEqual(wanted);
  });

  test('uses a number of reasoning tokens as the budget', () => {
    const request = { ...readChatRequest({ messages: [], reasoning_effort: 'high' }), reasoningBudget: 3000 };
    expect(messagesBody(request, 'claude-sonnet-4-5')['thinking']).toEqual({ type: 'enabled', budget_tokens: 3000 });
  });
});

describe('Anthropic responses', () => {
  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['pause_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool_calls'],
    ['refusal', 'content_filter'],
  ])('maps stop reason %s to %s', (stopReason, finishReason) => {
    expect(chat.decode?.(message([], stopReason)).choices).toEqual([{ content: '', finishReason }]);
    expect(deltas({ event: '', data: JSON.stringify(finish(stopReason, {})) })).toEqual([{ finishReason }]);
  });

  test('reads the stop sequence, hidden reasoning and citations', () => {
    const location = { type: 'web_search_result_location', url: 'https://a.test', title: 'A', cited_text: 'there' };
    const inDocument = { type: 'char_location', cited_text: 'here', document_index: 0 };
    const hidden = { type: 'redacted_thinking', data: 'ZGF0YQ' };
    const reported = { type: 'text', text: 'So', citations: [location, inDocument] };
    const choice = {
      content: 'So',
      thoughts: [{ text: '', maker: 'anthropic', sealed: 'ZGF0YQ' }],
      citations: [{ url: 'https://a.test', title: 'A', text: 'there' }],
      finishReason: 'stop',
      stopSequence: 'END',
    };
    const response = { ...message([hidden, reported], 'stop_sequence'), stop_sequence: 'END' };
    expect(chat.decode?.(response).choices).toEqual([choice]);
    const events = [
      blockStart(0, hidden),
      blockStop(0),
      blockStart(1, { type: 'text', text: '' }),
      blockDelta(1, { type: 'citations_delta', citation: location }),
      blockDelta(1, { type: 'text_delta', text: 'So' }),
      blockDelta(1, { type: 'citations_delta', citation: inDocument }),
      blockStop(1),
      { type: 'message_delta', delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' }, usage: {} },
    ];
    expect(readStreamedResponse(chat, [Buffer.from(sse(...events))])?.choices).toEqual([choice]);
  });

  test('maps an exhausted account and an overloaded upstream to their statuses', () => {
    const reportedBy = (status: number, text: string) =>
      chat.readProblem?.(status, { type: 'error', error: { type: 'invalid_request_error', message: text } })?.status;
    expect(reportedBy(400, 'Your credit balance is too low to access the API.')).toBe(402);
    expect(reportedBy(400, 'This organization has been disabled.')).toBe(403);
    expect(reportedBy(400, 'role: Your credit balance is too low')).toBeUndefined();
    expect(reportedBy(529, 'Overloaded')).toBe(503);
    expect(reportedBy(400, 'max_tokens: too large')).toBeUndefined();
  });

  test.each([
    ['rate_limit_error', 429],
    ['overloaded_error', 503],
    ['api_error', 502],
    ['unknown_error', 502],
  ])('maps an error of type %s inside a stream to %s', (type, status) => {
    const frame = { event: 'error', data: JSON.stringify({ type: 'error', error: { type, message: 'No' } }) };
    expect(() => deltas(frame)).toThrow(expect.objectContaining({ status, message: 'No' }));
  });

  test('ignores unknown events, and fails on an event that is not JSON', () => {
    for (const data of ['null', '[]', '{"type":"content_block_delta"}', '{"type":"message_start"}', '{"type":3}']) {
      expect(deltas({ event: 'content_block_delta', data })).toEqual([]);
    }
    expect(() => deltas({ event: '', data: '{"type":"conte' })).toThrow(UpstreamProblem);
  });

  test('keeps arguments that arrive complete with the start of a tool call', () => {
    const events = [blockStart(0, { type: 'tool_use', id: 't', name: 'now', input: { zone: 'UTC' } }), blockStop(0)];
    expect(deltas(...events.map((event) => ({ event: event.type, data: JSON.stringify(event) })))).toEqual([
      { toolCall: { index: 0, id: 't', name: 'now', arguments: '' } },
      { toolCall: { index: 0, arguments: '{"zone":"UTC"}' } },
    ]);
  });

  test('reads a text event whose text contains another event', () => {
    const text = 'say "delta":{"type":"text_delta","text":"x"}';
    const data = JSON.stringify(blockDelta(0, { type: 'text_delta', text }));
    expect(deltas({ event: 'content_block_delta', data })).toEqual([{ content: text }]);
    const spaced = data.replaceAll(':', ': ').replace(/\}\}$/, '}   }');
    expect(deltas({ event: 'content_block_delta', data: spaced })).toEqual([{ content: text.replaceAll(':', ': ') }]);
  });

  test('lists models', () => {
    expect(anthropic.modelList?.request(testUpstream)).toEqual({
      method: 'GET',
      url: 'https://upstream.test/v1/models?limit=1000',
      headers: { 'x-api-key': 'test-key', 'anthropic-version': '2023-06-01' },
    });
    expect(anthropic.modelList?.read({ data: [{ type: 'model', id: 'claude-sonnet-5' }] })).toEqual([
      'claude-sonnet-5',
    ]);
  });
});

function deltas(...frames: readonly { event: string; data: string }[]): readonly ChatDelta[] {
  const decoder = chat.stream?.open();
  return frames.flatMap((frame) => decoder?.push(frame) ?? []);
}
