import { type ChatResponse, DeltaMerger, UpstreamProblem } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import type { JsonObject, Upstream } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { describeChatAdaptor } from '../testing/chat-suite.ts';
import { fittedRequest } from '../testing/fitted-request.ts';
import { sparkSocket } from './socket-chat.ts';

const upstream = {
  baseUrl: 'https://spark-api-open.xf-yun.com',
  key: 'app|APISecretExample|APIKeyExample',
  model: 'Spark-Max',
  other: 'v3.5',
};

const goldenSignature = '6ZHBrS9mc61a6vSs4Emfl9YfeQjIXCBPvRLqHdPKVzQ=';
const authorization = Buffer.from(
  'hmac username="APIKeyExample", algorithm="hmac-sha256", headers="host date request-line", ' +
    `signature="${goldenSignature}"`,
).toString('base64');

const sent = (text: readonly JsonObject[], chat: JsonObject = {}) => ({
  method: 'GET' as const,
  url:
    'wss://spark-api.xf-yun.com/v3.5/chat?host=spark-api.xf-yun.com&date=Wed%2C%2001%20Jan%202025%2000%3A00%3A00%20GMT' +
    `&authorization=${encodeURIComponent(authorization)}`,
  headers: {},
  body: {
    header: { app_id: 'app' },
    parameter: { chat: { domain: 'generalv3.5', ...chat } },
    payload: { message: { text } },
  },
});

describeChatAdaptor('Spark on a socket', {
  adaptor: sparkSocket,
  upstream,
  cases: {
    text: { sent: sent([{ role: 'user', content: 'Say hello' }], { max_tokens: 64 }) },
    conversation: {
      sent: sent(
        [
          { role: 'user', content: 'My name is Ada' },
          { role: 'assistant', content: 'Hello Ada' },
          { role: 'user', content: 'What is my name?' },
        ],
        { temperature: 0.5 },
      ),
    },
    system: {
      sent: sent([
        { role: 'system', content: 'Be brief' },
        { role: 'system', content: 'Be kind' },
        { role: 'user', content: 'Hello' },
      ]),
      ignored: ['stop'],
    },
    toolCall: { rejectedField: 'tool_choice' },
    toolResult: { rejectedField: 'tool results' },
    image: { rejectedField: 'image_url' },
  },
  problems: {
    401: { body: { message: 'HMAC signature cannot be verified' }, message: 'HMAC signature cannot be verified' },
    429: { body: { message: 'slow' }, message: 'slow' },
    500: { body: {}, message: 'The upstream returned status 500' },
  },
  emptyResponse: {},
});

const frame = (status: number, text: readonly JsonObject[], payload: JsonObject = {}) =>
  JSON.stringify({
    header: { code: 0, message: 'Success', sid: 's1', status },
    payload: { choices: { status, seq: status, text }, ...payload },
  });

const usage = { text: { question_tokens: 1, prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 } };

function responseTo(...messages: readonly string[]): ChatResponse | undefined {
  const decoder = sparkSocket.stream?.open();
  if (!decoder) throw new Error('Spark streams');
  const gatherer = new DeltaMerger();
  for (const data of messages) for (const delta of decoder.push({ event: '', data })) gatherer.add(delta);
  return gatherer.response(decoder.usage);
}

describe("Spark's WebSocket messages", () => {
  test('returns a response after the last message', () => {
    const first = frame(0, [{ content: '你', role: 'assistant', index: 0, reasoning_content: '嗯' }]);
    expect(responseTo(first, frame(1, [{ content: '好' }]), frame(2, [{ content: '' }], { usage }))).toEqual({
      choices: [{ content: '你好', reasoning: '嗯', finishReason: 'stop' }],
      usage: { promptTokens: 4, completionTokens: 2 },
    });
    expect(responseTo(first)).toBeUndefined();
    expect(responseTo(frame(2, []))).toEqual({ choices: [{ content: '', finishReason: 'stop' }], usage: undefined });
  });

  test('reads a tool call', () => {
    const call = { name: 'weather', arguments: '{"city":"Oslo"}' };
    expect(responseTo(frame(2, [{ content: '', function_call: call }], { usage }))).toMatchObject({
      choices: [{ toolCalls: [{ id: 'call_s1', ...call }], finishReason: 'tool_calls' }],
    });
    expect(responseTo(frame(2, [{ content: '', function_call: { name: 'now' } }]))).toMatchObject({
      choices: [{ toolCalls: [{ id: 'call_s1', name: 'now', arguments: '{}' }] }],
    });
  });

  test.each([
    [10013, 400],
    [10907, 400],
    [11200, 403],
    [11202, 429],
    [10008, 503],
    [10012, 502],
  ])('maps code %i to status %i', (code, status) => {
    const message = JSON.stringify({ header: { code, message: 'no', sid: 's1', status: 2 } });
    expect(() => responseTo(message)).toThrow(UpstreamProblem);
    expect(() => responseTo(message)).toThrow(expect.objectContaining({ status, message: 'no', code: String(code) }));
  });

  test.each(['oh', '{'])('fails on a message that is not JSON: %s', (message) => {
    expect(() => responseTo(message)).toThrow(UpstreamProblem);
  });

  test.each(['null', '[]', '{"payload":{"choices":{"text":[null,5]}}}'])(
    'ignores a malformed message: %s',
    (message) => {
      expect(responseTo(message)).toBeUndefined();
    },
  );
});

describe('Spark WebSocket requests', () => {
  const encoded = (fields: JsonObject, around: Partial<Upstream> = {}) => {
    const request = fittedRequest(sparkSocket, { messages: [{ role: 'user', content: 'hi' }], ...fields });
    return sparkSocket.encode(request, { ...testUpstream, ...upstream, ...around });
  };
  const tools = [{ type: 'function', function: { name: 'now', description: 'the time' } }];

  test.each([
    ['Spark-Lite', 'v3.5', '/v1.1/chat', 'lite'],
    ['Spark-Pro', 'v3.5', '/v3.1/chat', 'generalv3'],
    ['Spark-Pro-128K', 'v3.5', '/chat/pro-128k', 'pro-128k'],
    ['Spark-Max-32K', 'v3.5', '/chat/max-32k', 'max-32k'],
    ['Spark-4.0-Ultra', 'v3.5', '/v4.0/chat', '4.0Ultra'],
    ['SparkDesk-v2.1', 'v3.5', '/v2.1/chat', 'generalv2'],
    ['SparkDesk', 'v3.1', '/v3.1/chat', 'generalv3'],
    ['SparkDesk', '3.5', '/v3.5/chat', 'generalv3.5'],
    ['SparkDesk', 'v9.9', '/v9.9/chat', 'generalv9.9'],
  ])('sends %s at version %s to %s with domain %s', (model, other, path, domain) => {
    const { url, body } = encoded({}, { model, other });
    expect(new URL(url).pathname).toBe(path);
    expect(JSON.parse(body ?? '')).toMatchObject({ parameter: { chat: { domain } } });
  });

  test("uses the admin's base URL if there is one", () => {
    expect(encoded({}, { baseUrl: 'http://127.0.0.1:9' }).url).toMatch(/^ws:\/\/127\.0\.0\.1:9\/v3\.5\/chat\?host=127/);
  });

  test('sends tools if the model supports them, and clamps the temperature', () => {
    expect(JSON.parse(encoded({ tools, temperature: 2 }).body ?? '')).toMatchObject({
      parameter: { chat: { temperature: 1 } },
      payload: {
        functions: { text: [{ name: 'now', description: 'the time', parameters: { type: 'object', properties: {} } }] },
      },
    });
    expect(() => encoded({ tools }, { model: 'Spark-Lite' })).toThrow('tools');
    expect(JSON.parse(encoded({ temperature: 0, user: 'x'.repeat(40) }).body ?? '')).toMatchObject({
      header: { uid: 'x'.repeat(32) },
      parameter: { chat: { temperature: 0.01 } },
    });
  });

  test('sends system messages separately', () => {
    const messages = ['system', 'developer', 'user'].map((role) => ({ role, content: role }));
    expect(JSON.parse(encoded({ messages }).body ?? '')).toMatchObject({
      payload: {
        message: {
          text: [
            { role: 'system', content: 'system' },
            { role: 'system', content: 'developer' },
            { role: 'user', content: 'user' },
          ],
        },
      },
    });
  });

  test('never sends the secret', () => {
    expect(JSON.stringify(encoded({}))).not.toContain('APISecretExample');
  });
});
