import { readChatRequest } from '@headgate/dialects';
import { recordingsOf } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { describeChatAdaptor, readStreamedResponse } from '../testing/chat-suite.ts';
import { chat } from './index.ts';

const event = (name: string, data: unknown) => `event:${name}\ndata:${JSON.stringify(data)}\n\n`;
const delta = (fields: JsonObject) =>
  event('conversation.message.delta', { role: 'assistant', type: 'answer', content_type: 'text', ...fields });
const completed = event('conversation.chat.completed', {
  status: 'completed',
  usage: { token_count: 12, output_count: 2, input_count: 10 },
});
const question = (content: string) => ({ role: 'user', type: 'question', content, content_type: 'text' });

const sent = (...additional_messages: readonly JsonObject[]) => ({
  method: 'POST' as const,
  url: 'https://upstream.test/v3/chat',
  headers: { 'content-type': 'application/json', authorization: 'Bearer test-key' },
  body: { bot_id: '42', user_id: 'u1', additional_messages, stream: true, auto_save_history: false },
});

describeChatAdaptor('Coze', {
  adaptor: chat,
  upstream: { model: 'bot-42', config: { user_id: 'u1' } },
  cases: {
    text: { sent: sent(question('Say hello')) },
    conversation: {
      sent: sent(
        question('My name is Ada'),
        { role: 'assistant', type: 'answer', content: 'Hello Ada', content_type: 'text' },
        question('What is my name?'),
      ),
      ignored: ['temperature'],
    },
    system: { sent: sent(question('Be brief'), question('Be kind'), question('Hello')), ignored: ['stop'] },
    toolCall: { rejectedField: 'tools' },
    toolResult: { rejectedField: 'tools' },
    image: { rejectedField: 'image_url' },
  },
  streams: {
    text: {
      bytes: [
        event('conversation.chat.created', { status: 'created' }),
        event('conversation.chat.in_progress', { status: 'in_progress' }),
        delta({ reasoning_content: 'Greet', content: '' }),
        delta({ content: 'Grüße ' }),
        delta({ type: 'function_call', content: '{"name":"search"}' }),
        delta({ content: '你好' }),
        event('conversation.message.completed', { type: 'answer', content: 'Grüße 你好' }),
        event('conversation.message.completed', { type: 'follow_up', content: 'And then?' }),
        completed,
        event('done', '[DONE]'),
      ].join(''),
      response: {
        choices: [{ content: 'Grüße 你好', reasoning: 'Greet', finishReason: 'stop' }],
        usage: { promptTokens: 10, completionTokens: 2 },
      },
    },
    toolCall: { rejectedField: 'tools' },
  },
  problems: {
    401: {
      body: { code: 700012006, msg: 'access token invalid', detail: { logid: '1' } },
      message: 'access token invalid',
    },
    429: { body: { code: 4013, msg: 'too fast' }, message: 'too fast' },
    500: { body: { code: 5000, msg: 'internal' }, message: 'internal' },
  },
  emptyResponse: {},
});

describe('Coze', () => {
  const body = (messages: readonly JsonObject[], upstream: object = {}) => {
    const request = readChatRequest({ messages, user: 'client' });
    return JSON.parse(chat.encode(request, { ...testUpstream, ...upstream }).body ?? '') as JsonObject;
  };

  test('sends every turn, and system messages as user messages', () => {
    const messages = [
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'A' },
          { type: 'text', text: 'B' },
        ],
      },
    ];
    expect(body(messages)).toMatchObject({
      bot_id: 'test-model',
      user_id: 'client',
      additional_messages: [
        question('Be brief'),
        question('Hi'),
        { role: 'assistant', type: 'answer', content: 'Hello', content_type: 'text' },
        question('AB'),
      ],
    });
  });

  test('sends an image by URL', () => {
    const content = [
      { type: 'text', text: 'What?' },
      { type: 'image_url', image_url: { url: 'https://images.test/a.png' } },
    ];
    expect(body([{ role: 'user', content }])['additional_messages']).toEqual([
      {
        role: 'user',
        type: 'question',
        content: JSON.stringify([
          { type: 'text', text: 'What?' },
          { type: 'image', file_url: 'https://images.test/a.png' },
        ]),
        content_type: 'object_string',
      },
    ]);
  });

  test.each([
    [event('conversation.chat.failed', { last_error: { code: 4027, msg: 'no credits' } }), 402, 'no credits'],
    [event('error', { code: 4100, msg: 'bad key' }), 401, 'bad key'],
    [event('error', {}), 502, 'The upstream aborted the response'],
    [event('error', { code: 4000, msg: 'bad field' }), 400, 'bad field'],
    ['{"code":4101,"msg":"not yours"}', 403, 'not yours'],
    [event('conversation.chat.requires_action', {}), 502, 'The bot requires a client tool'],
  ])('fails on the stream %s', (bytes, status, message) => {
    const before = bytes.startsWith('{') ? '' : delta({ content: 'So' });
    const read = () => readStreamedResponse(chat, [Buffer.from(before + bytes)]);
    expect(read).toThrow(expect.objectContaining({ status, message: expect.stringContaining(message) }));
  });

  test('reads an error inside a 200 response, and does not mistake a normal response for an error', () => {
    expect(chat.readProblem?.(200, { code: 4101, msg: 'not yours' })).toMatchObject({ status: 403, code: '4101' });
    expect(chat.readProblem?.(200, { code: 702_093_018, msg: 'new' })).toMatchObject({ status: 502 });
    expect(chat.readProblem?.(200, { code: 0, msg: '' })).toBeUndefined();
    expect(chat.readProblem?.(500, 'text')).toBeUndefined();
  });

  test('accepts a stream without usage, and ignores malformed chunks', () => {
    const odd = [event('conversation.message.delta', 7), event('conversation.chat.completed', null)].join('');
    expect(readStreamedResponse(chat, [Buffer.from(odd)])).toEqual({
      choices: [{ content: '', finishReason: 'stop' }],
      usage: undefined,
    });
  });
});

describe('recorded Coze responses', () => {
  const streams = recordingsOf('coze').filter(({ bytes }) => bytes.includes('event:conversation.chat.completed'));
  test.each(streams)('streams $name without loss', ({ bytes }) => {
    const text = bytes.toString('utf8');
    const deltas = [...text.matchAll(/message\.delta\ndata:(.*)/g)].map(
      ([, json]) => JSON.parse(json ?? '') as JsonObject,
    );
    const count = (name: string) => Number(new RegExp(`.*"${name}":(\\d+)`, 's').exec(text)?.[1]);
    expect(readStreamedResponse(chat, [bytes])).toEqual({
      choices: [{ content: deltas.map(({ content }) => content).join(''), finishReason: 'stop' }],
      usage: { promptTokens: count('input_count'), completionTokens: count('output_count') },
    });
  });
  test('the recordings are not empty', () => expect(streams.length).toBeGreaterThan(0));
});
