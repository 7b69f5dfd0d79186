import { UpstreamProblem } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { describeChatAdaptor, readStreamedResponse } from '../testing/chat-suite.ts';
import { fittedRequest } from '../testing/fitted-request.ts';
import { wenxinChat } from './chat.ts';

const upstream = { model: 'ERNIE-Speed-8K', credential: '24.token', key: 'id|secret' };

const sent = (body: JsonObject) => ({
  method: 'POST' as const,
  url: 'https://upstream.test/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/ernie_speed?access_token=24.token',
  headers: { 'content-type': 'application/json' },
  body: { stream: false, ...body },
});

const piece = (result: string, fields: JsonObject = {}) => ({
  id: 'as-1',
  object: 'chat.completion',
  created: 1_735_689_600,
  result,
  is_truncated: false,
  need_clear_history: false,
  usage: { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 },
  ...fields,
});

const usage = { promptTokens: 2, completionTokens: 3 };
const stream = (...bodies: readonly JsonObject[]) => bodies.map((body) => `data: ${JSON.stringify(body)}\n\n`).join('');
const noTools = { rejectedField: 'tools' };

describeChatAdaptor('Qianfan version 1', {
  adaptor: wenxinChat,
  upstream,
  cases: {
    text: {
      sent: sent({ messages: [{ role: 'user', content: 'Say hello' }], max_output_tokens: 64 }),
      replied: piece('Hello'),
      response: { choices: [{ content: 'Hello', finishReason: 'stop' }], usage },
    },
    conversation: {
      sent: sent({
        messages: [
          { role: 'user', content: 'My name is Ada' },
          { role: 'assistant', content: 'Hello Ada' },
          { role: 'user', content: 'What is my name?' },
        ],
        temperature: 0.5,
      }),
      replied: piece('Ad', { is_truncated: true }),
      response: { choices: [{ content: 'Ad', finishReason: 'length' }], usage },
    },
    system: {
      sent: sent({
        messages: [{ role: 'user', content: 'Hello' }],
        system: 'Be brief\nBe kind',
        stop: ['END', 'STOP'],
      }),
      replied: piece('', { need_clear_history: true }),
      response: { choices: [{ content: '', finishReason: 'content_filter' }], usage },
    },
    toolCall: noTools,
    toolResult: noTools,
    image: { rejectedField: 'image_url' },
  },
  streams: {
    text: {
      bytes: stream(
        piece('你好', { sentence_id: 0, is_end: false, usage: { prompt_tokens: 2, total_tokens: 2 } }),
        piece('，Ada', { sentence_id: 1, is_end: false }),
        piece('', { sentence_id: 2, is_end: true }),
      ),
      response: { choices: [{ content: '你好，Ada', finishReason: 'stop' }], usage },
    },
    toolCall: noTools,
  },
  problems: {
    401: { body: { error_code: 110, error_msg: 'Access token invalid' }, message: 'Access token invalid' },
    429: { body: { error_code: 18, error_msg: 'qps' }, message: 'qps' },
    500: { body: { error_code: 336100, error_msg: 'busy' }, status: 503, message: 'busy' },
  },
  errorInSuccess: { body: { error_code: 17, error_msg: 'daily limit' }, status: 402, message: 'daily limit' },
  emptyResponse: { id: 'as-1' },
  responseWithoutUsage: { result: 'Hello' },
});

describe('Qianfan version 1 requests', () => {
  const encoded = (fields: JsonObject, model = 'ERNIE-4.0-8K') => {
    const request = fittedRequest(wenxinChat, { messages: [{ role: 'user', content: 'hi' }], ...fields });
    return wenxinChat.encode(request, { ...testUpstream, ...upstream, model });
  };

  test('merges neighboring messages of the same role', () => {
    const messages = ['a', 'b'].map((content) => ({ role: 'user', content }));
    expect(JSON.parse(encoded({ messages }).body ?? '')).toMatchObject({
      messages: [{ role: 'user', content: 'a\nb' }],
    });
  });

  test("clamps the temperature to Qianfan's range", () => {
    expect(JSON.parse(encoded({ temperature: 2 }).body ?? '')).toMatchObject({ temperature: 1 });
    expect(JSON.parse(encoded({ temperature: 0 }).body ?? '')).toMatchObject({ temperature: 0.01 });
  });

  test('requests plain JSON output', () => {
    expect(JSON.parse(encoded({ response_format: { type: 'json_object' } }).body ?? '')).toMatchObject({
      response_format: 'json_object',
    });
  });

  test.each([
    ['ERNIE-4.0-8K', 'completions_pro'],
    ['ERNIE-3.5-8K', 'completions'],
    ['ERNIE-Speed-128K', 'ernie-speed-128k'],
    ['ERNIE-3.5-8K-0205', 'ernie-3.5-8k-0205'],
    ['ERNIE-Tiny-8K', 'ernie-tiny-8k'],
    ['BLOOMZ-7B', 'bloomz_7b1'],
    ['../x?y', '..%2Fx%3Fy'],
    ['constructor', 'constructor'],
  ])('sends %s to %s', (model, slug) => {
    expect(encoded({}, model).url).toContain(`/wenxinworkshop/chat/${slug}?access_token=24.token`);
  });
});

test('ends a stream with the error inside it', () => {
  const bytes = Buffer.from(stream(piece('Hel', { is_end: false }), { error_code: 336100, error_msg: 'busy' }));
  expect(() => readStreamedResponse(wenxinChat, [bytes])).toThrow(UpstreamProblem);
  expect(() => readStreamedResponse(wenxinChat, [bytes])).toThrow(
    expect.objectContaining({ status: 503, code: '336100' }),
  );
});
