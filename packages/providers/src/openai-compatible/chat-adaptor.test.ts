import { type ChatResponse, readChatRequest } from '@headgate/dialects';
import { expect, test } from 'vitest';
import { onePixelImage, testUpstream } from '../testing/chat-cases.ts';
import { describeChatAdaptor } from '../testing/chat-suite.ts';
import { openaiAdaptor, toChatAdaptor } from './chat-adaptor.ts';
import { passThrough } from './pass-through.ts';

const adaptor = openaiAdaptor(passThrough('/v1/chat/completions'));

const sentWith = (body: object) => ({
  method: 'POST' as const,
  url: 'https://upstream.test/v1/chat/completions',
  headers: { 'content-type': 'application/json', accept: 'application/json', authorization: 'Bearer test-key' },
  body: { model: 'test-model', ...body },
});

const replied = (message: object, finish_reason: string) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'test-model',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, logprobs: null, finish_reason }],
  usage: {
    prompt_tokens: 9,
    completion_tokens: 12,
    total_tokens: 21,
    prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 5, audio_tokens: 0 },
  },
});

const usage: ChatResponse['usage'] = {
  promptTokens: 9,
  completionTokens: 12,
  cachedTokens: 4,
  reasoningTokens: 5,
};

const weatherTool = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'The weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};
const call = (id: string, city: string) => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: JSON.stringify({ city }) },
});

const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    usage: null,
  })}\n\n`;
const usageChunk = `data: ${JSON.stringify({ id: 'chatcmpl-1', choices: [], usage: replied({}, 'stop').usage })}\n\n`;
const callPiece = (index: number, fields: object) => chunk({ tool_calls: [{ index, ...fields }] });

describeChatAdaptor('OpenAI-compatible', {
  adaptor,
  upstream: {},
  cases: {
    text: {
      sent: sentWith({ messages: [{ role: 'user', content: 'Say hello' }], max_tokens: 64 }),
      replied: replied({ content: 'Hello', refusal: null, annotations: [] }, 'stop'),
      response: { choices: [{ content: 'Hello', finishReason: 'stop' }], usage },
    },
    conversation: {
      sent: sentWith({
        messages: [
          { role: 'user', content: 'My name is Ada' },
          { role: 'assistant', content: 'Hello Ada' },
          { role: 'user', content: 'What is my name?' },
        ],
        temperature: 0.5,
      }),
      replied: replied({ content: 'Ada', reasoning_content: 'She said so' }, 'length'),
      response: { choices: [{ content: 'Ada', reasoning: 'She said so', finishReason: 'length' }], usage },
    },
    system: {
      sent: sentWith({
        messages: [
          { role: 'system', content: 'Be brief' },
          { role: 'system', content: 'Be kind' },
          { role: 'user', content: 'Hello' },
        ],
        stop: ['END', 'STOP'],
      }),
    },
    toolCall: {
      sent: sentWith({
        messages: [{ role: 'user', content: 'Weather in Oslo?' }],
        tools: [weatherTool],
        tool_choice: 'required',
      }),
      replied: replied({ content: null, tool_calls: [call('call_1', 'Oslo')] }, 'tool_calls'),
      response: {
        choices: [
          {
            content: '',
            toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' }],
            finishReason: 'tool_calls',
          },
        ],
        usage,
      },
    },
    toolResult: {
      sent: sentWith({
        messages: [
          { role: 'user', content: 'Weather in Oslo and Rome?' },
          { role: 'assistant', content: null, tool_calls: [call('call_1', 'Oslo'), call('call_2', 'Rome')] },
          { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
          { role: 'tool', tool_call_id: 'call_2', content: 'sun' },
        ],
        tools: [weatherTool],
      }),
    },
    image: {
      sent: sentWith({
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
        chunk({ role: 'assistant', content: '' }),
        chunk({ content: 'Hel' }),
        chunk({ content: 'lo ✓' }),
        chunk({}, 'stop'),
        usageChunk,
        'data: [DONE]\n\n',
      ].join(''),
      response: { choices: [{ content: 'Hello ✓', finishReason: 'stop' }], usage },
    },
    toolCall: {
      bytes: [
        chunk({ role: 'assistant', content: null }),
        callPiece(0, { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } }),
        callPiece(0, { function: { arguments: '{"city":' } }),
        callPiece(0, { function: { arguments: '"Oslo"}' } }),
        callPiece(1, { id: 'call_2', type: 'function', function: { name: 'weather', arguments: '' } }),
        callPiece(1, { function: { arguments: '{"city":"Rome"}' } }),
        chunk({}, 'tool_calls'),
        usageChunk,
        'data: [DONE]\n\n',
      ].join(''),
      response: {
        choices: [
          {
            content: '',
            toolCalls: [
              { id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' },
              { id: 'call_2', name: 'weather', arguments: '{"city":"Rome"}' },
            ],
            finishReason: 'tool_calls',
          },
        ],
        usage,
      },
    },
  },
  problems: {
    401: { body: { error: { message: 'Bad key', type: 'invalid_request_error', code: 'k' } }, message: 'Bad key' },
    429: { body: { error: { message: 'Slow down' } }, message: 'Slow down' },
    500: { body: 'oops', message: 'The upstream returned status 500' },
  },
  errorInSuccess: { body: { error: { message: 'Busy', code: 503 } }, status: 503, message: 'Busy' },
  emptyResponse: { id: 'x', choices: [], usage: { prompt_tokens: 1, completion_tokens: 0 } },
  responseWithoutUsage: { choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] },
});

test('requests a stream with usage, unless the upstream rejects the option', () => {
  const request = readChatRequest({ messages: [{ role: 'user', content: 'Hi' }], stream: true });
  const upstream = { ...testUpstream, isStream: true };
  const bodyOf = (given: typeof adaptor) => JSON.parse(given.encode(request, upstream).body ?? '') as unknown;
  expect(adaptor.encode(request, upstream).headers['accept']).toBe('text/event-stream');
  expect(bodyOf(adaptor)).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  const shy = openaiAdaptor(passThrough('/v1/chat/completions', { quirks: { rejectsStreamOptions: true } }));
  expect(bodyOf(shy)).not.toHaveProperty('stream_options');
});

test('reuses the chat adaptor of an upstream', () => {
  const pass = passThrough('/v1/chat/completions');
  expect(toChatAdaptor(pass)).toBe(toChatAdaptor(pass));
  expect(toChatAdaptor(adaptor)).toBe(adaptor);
});
