import { readChatRequest } from '@headgate/dialects';
import { expect, test } from 'vitest';
import { testUpstream } from '../testing/chat-cases.ts';
import { describeChatAdaptor, readStreamedResponse } from '../testing/chat-suite.ts';
import { libraryChat } from './index.ts';

const sent = (query: string) => ({
  method: 'POST' as const,
  url: 'https://upstream.test/api/library/ask',
  headers: { 'content-type': 'application/json', authorization: 'Bearer test-key' },
  body: { model: 'test-model', query, libraryId: '123', stream: false },
});

const noTools = { rejectedField: 'tools' };

describeChatAdaptor('AI Proxy library', {
  adaptor: libraryChat,
  upstream: { other: '123' },
  cases: {
    text: {
      sent: sent('Say hello'),
      replied: {
        success: true,
        errCode: 0,
        answer: 'Hello',
        documents: [
          { title: 'Doc', url: 'https://d.example/1' },
          { title: 'Other', url: 'https://d.example/2' },
        ],
      },
      response: {
        choices: [
          {
            content: 'Hello\n\n参考文档：\n1. [Doc](https://d.example/1)\n2. [Other](https://d.example/2)',
            finishReason: 'stop',
          },
        ],
        usage: undefined,
      },
    },
    conversation: {
      sent: sent('user: My name is Ada\nassistant: Hello Ada\nuser: What is my name?'),
      ignored: ['temperature'],
    },
    system: { sent: sent('system: Be brief\nsystem: Be kind\nuser: Hello'), ignored: ['stop'] },
    toolCall: noTools,
    toolResult: noTools,
    image: { rejectedField: 'image_url' },
  },
  streams: {
    text: {
      bytes:
        'data:{"content":"Grüß ","finish":false,"model":"gpt-3.5-turbo"}\n\n' +
        'data:{"content":"Gott","finish":false,"model":"gpt-3.5-turbo"}\n\n' +
        'data:{"content":"","finish":true,"documents":[{"title":"Doc","url":"https://d.example/1"}]}\n\n',
      response: {
        choices: [{ content: 'Grüß Gott\n\n参考文档：\n1. [Doc](https://d.example/1)', finishReason: 'stop' }],
        usage: undefined,
      },
    },
    toolCall: noTools,
  },
  problems: {
    401: { body: { success: false, errCode: 401, message: 'wrong key' }, message: 'wrong key' },
    429: { body: { error: { message: 'slow' } }, message: 'slow' },
    500: { body: 'oh', message: 'The upstream returned status 500' },
  },
  errorInSuccess: {
    body: { success: false, errCode: 7, message: 'no such library' },
    status: 502,
    message: 'no such library',
  },
  emptyResponse: { success: true, errCode: 0 },
  responseWithoutUsage: { success: true, answer: 'Hi' },
});

test('includes earlier messages in the prompt', () => {
  const request = readChatRequest({
    messages: [
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hi' },
      { role: 'user', content: 'Who are you?' },
    ],
  });
  const { body } = libraryChat.encode(request, { ...testUpstream, config: { library_id: '9' }, other: '123' });
  expect(JSON.parse(body ?? '')).toMatchObject({
    query: 'system: Be brief\nuser: Hello\nassistant: Hi\nuser: Who are you?',
    libraryId: '9',
  });
});

test('throws the error reported inside a stream', () => {
  const bytes = Buffer.from('data:{"success":false,"errCode":429,"message":"slow"}\n\n');
  expect(() => readStreamedResponse(libraryChat, [bytes])).toThrow(
    expect.objectContaining({ status: 429, message: 'slow' }),
  );
});
