import { RequestProblem, UpstreamProblem } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import type { JsonObject, UpstreamRequest } from '../provider.ts';
import { onePixelImage, testUpstream } from '../testing/chat-cases.ts';
import { describeChatAdaptor, readStreamedResponse } from '../testing/chat-suite.ts';
import { fittedRequest } from '../testing/fitted-request.ts';
import { hunyuanChat } from './chat.ts';

const upstream = {
  baseUrl: 'https://hunyuan.tencentcloudapi.com',
  key: '1300|AKIDEXAMPLE|SECRETEXAMPLE',
  model: 'hunyuan-lite',
};

/** Adaptor without a signature, which covers the body and is tested separately. */
const adaptor = {
  ...hunyuanChat,
  encode(...given: Parameters<typeof hunyuanChat.encode>): UpstreamRequest {
    const request = hunyuanChat.encode(...given);
    const authorization = request.headers['authorization']?.replace(/Signature=[0-9a-f]{64}$/, 'Signature=…') ?? '';
    return { ...request, headers: { ...request.headers, authorization } };
  },
};

const sent = (messages: readonly JsonObject[], fields: JsonObject = {}) => ({
  method: 'POST' as const,
  url: 'https://hunyuan.tencentcloudapi.com/',
  headers: {
    'content-type': 'application/json',
    'x-tc-action': 'ChatCompletions',
    'x-tc-version': '2023-09-01',
    'x-tc-timestamp': '1735689600',
    authorization:
      'TC3-HMAC-SHA256 Credential=AKIDEXAMPLE/2025-01-01/hunyuan/tc3_request, ' +
      'SignedHeaders=content-type;host;x-tc-action, Signature=…',
  },
  body: { Model: 'hunyuan-lite', Messages: messages, Stream: false, ...fields },
});

const counts = { PromptTokens: 3, CompletionTokens: 5, TotalTokens: 8 };
const usage = { promptTokens: 3, completionTokens: 5 };
const replied = (message: JsonObject, finish = 'stop') => ({
  Response: {
    Choices: [{ FinishReason: finish, Message: { Role: 'assistant', ...message } }],
    Created: 1_735_689_600,
    Id: 'h1',
    Usage: counts,
    RequestId: 'r1',
  },
});
const piece = (delta: JsonObject, finish = '', fields: JsonObject = {}) =>
  `data: ${JSON.stringify({
    Choices: [{ Index: 0, Delta: { Role: 'assistant', ...delta }, FinishReason: finish }],
    Id: 'h1',
    Usage: counts,
    ...fields,
  })}\n\n`;

const called = (id: string, city: string) => ({
  Id: id,
  Type: 'function',
  Function: { Name: 'weather', Arguments: `{"city":"${city}"}` },
});
const weather = {
  Type: 'function',
  Function: {
    Name: 'weather',
    Description: 'The weather of a city',
    Parameters: '{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}',
  },
};
const bothCalls = [
  { id: 'a', name: 'weather', arguments: '{"city":"Oslo"}' },
  { id: 'b', name: 'weather', arguments: '{"city":"Rome"}' },
];

describeChatAdaptor('Hunyuan', {
  adaptor,
  upstream,
  cases: {
    text: {
      sent: sent([{ Role: 'user', Content: 'Say hello' }]),
      replied: replied({ Content: 'Hello' }),
      response: { choices: [{ content: 'Hello', finishReason: 'stop' }], usage },
    },
    conversation: {
      sent: sent(
        [
          { Role: 'user', Content: 'My name is Ada' },
          { Role: 'assistant', Content: 'Hello Ada' },
          { Role: 'user', Content: 'What is my name?' },
        ],
        { Temperature: 0.5 },
      ),
      replied: replied({ Content: 'Ada', ReasoningContent: 'They said so' }, 'sensitive'),
      response: { choices: [{ content: 'Ada', reasoning: 'They said so', finishReason: 'content_filter' }], usage },
    },
    system: {
      sent: sent(
        [
          { Role: 'system', Content: 'Be brief\nBe kind' },
          { Role: 'user', Content: 'Hello' },
        ],
        { Stop: ['END', 'STOP'] },
      ),
    },
    toolCall: { rejectedField: 'tool_choice' },
    toolResult: {
      sent: sent(
        [
          { Role: 'user', Content: 'Weather in Oslo and Rome?' },
          { Role: 'assistant', Content: '', ToolCalls: [called('call_1', 'Oslo'), called('call_2', 'Rome')] },
          { Role: 'tool', Content: 'rain', ToolCallId: 'call_1' },
          { Role: 'tool', Content: 'sun', ToolCallId: 'call_2' },
        ],
        { Tools: [weather] },
      ),
      replied: replied({ Content: '', ToolCalls: [called('a', 'Oslo'), called('b', 'Rome')] }, 'tool_calls'),
      response: { choices: [{ content: '', toolCalls: bothCalls, finishReason: 'tool_calls' }], usage },
    },
    image: {
      sent: sent([
        {
          Role: 'user',
          Contents: [
            { Type: 'text', Text: 'What is this?' },
            { Type: 'image_url', ImageUrl: { Url: `data:image/png;base64,${onePixelImage}` } },
          ],
        },
      ]),
    },
  },
  streams: {
    text: {
      bytes:
        piece({ ReasoningContent: '嗯' }) +
        piece({ Content: '你好' }) +
        piece({ Content: '，Ada' }) +
        piece({ Content: '' }, 'stop', { Usage: { ...counts, PromptTokensDetails: { CachedTokens: 2 } } }),
      response: {
        choices: [{ content: '你好，Ada', reasoning: '嗯', finishReason: 'stop' }],
        usage: { ...usage, cachedTokens: 2 },
      },
    },
    toolCall: {
      bytes:
        piece({ ToolCalls: [{ Index: 0, Id: 'a', Function: { Name: 'weather', Arguments: '{"city":' } }] }) +
        piece({ ToolCalls: [{ Index: 0, Id: 'a', Function: { Name: '', Arguments: '"Oslo"}' } }] }) +
        piece({ ToolCalls: [{ Index: 1, Id: 'b', Function: { Name: 'weather', Arguments: '{"city":"Rome"}' } }] }) +
        piece({ Content: '' }, 'tool_calls'),
      response: { choices: [{ content: '', toolCalls: bothCalls, finishReason: 'tool_calls' }], usage },
    },
  },
  problems: {
    401: {
      body: { Response: { Error: { Code: 'AuthFailure.SignatureFailure', Message: 'no' }, RequestId: 'r' } },
      message: 'no',
    },
    429: { body: { Response: { Error: { Code: 'RequestLimitExceeded', Message: 'slow' } } }, message: 'slow' },
    500: {
      body: { Response: { Error: { Code: 'InternalError', Message: 'broken' } } },
      status: 502,
      message: 'broken',
    },
  },
  errorInSuccess: {
    body: { Response: { Error: { Code: 'FailedOperation.ResourcePackExhausted', Message: 'empty' } } },
    status: 402,
    message: 'empty',
  },
  emptyResponse: { Response: { Choices: [], RequestId: 'r' } },
  responseWithoutUsage: { Response: { Choices: [{ FinishReason: 'stop', Message: { Content: 'Hi' } }] } },
});

test('[A27.1] merges 100,000 messages of one user in linear time', () => {
  const messages = Array.from({ length: 100_000 }, (_, index) => ({ role: 'user', content: String(index) }));
  const request = fittedRequest(hunyuanChat, { messages });
  const { body = '' } = hunyuanChat.encode(request, { ...testUpstream, ...upstream });
  const sent = JSON.parse(body) as { Messages: { Content: string }[] };
  expect(sent.Messages.map(({ Content }) => Content.split('\n').length)).toEqual([100_000]);
});

describe('Hunyuan requests', () => {
  const encoded = (fields: JsonObject, around: JsonObject = {}) => {
    const request = fittedRequest(hunyuanChat, { messages: [{ role: 'user', content: 'hi' }], ...fields });
    return hunyuanChat.encode(request, { ...testUpstream, ...upstream, ...around });
  };
  const bodyOf = (fields: JsonObject) => JSON.parse(encoded(fields).body ?? '') as JsonObject;
  const tools = [{ type: 'function', function: { name: 'weather' } }];

  test('creates the reference signature', () => {
    const request = encoded({});
    expect(request.body).toBe('{"Model":"hunyuan-lite","Messages":[{"Role":"user","Content":"hi"}],"Stream":false}');
    expect(request.headers['authorization']).toMatch(
      /Signature=62848fa2b7b6cc36c75b1e26157a163fe0fc67261f84c68405af15ff35c8c859$/,
    );
  });

  test('signs a request for its host', () => {
    expect(encoded({}, { baseUrl: 'http://127.0.0.1:9000' }).headers['authorization']).not.toBe(
      encoded({}).headers['authorization'],
    );
  });

  test('sends no part of the key except its id', () => {
    expect(JSON.stringify(encoded({}))).not.toContain('SECRETEXAMPLE');
  });

  test('sends seed, effort and tool choice', () => {
    expect(bodyOf({ seed: 4, reasoning_effort: 'high', temperature: 3, top_p: 0.5 })).toMatchObject({
      Seed: 4,
      EnableThinking: true,
      Temperature: 2,
      TopP: 0.5,
    });
    expect(bodyOf({ tools, tool_choice: 'none' })).toMatchObject({ ToolChoice: 'none' });
    expect(bodyOf({ tools, tool_choice: { type: 'function', function: { name: 'weather' } } })).toMatchObject({
      ToolChoice: 'custom',
      CustomTool: { Type: 'function', Function: { Name: 'weather' } },
    });
    expect(() => bodyOf({ tools, tool_choice: { type: 'function', function: { name: 'x' } } })).toThrow(RequestProblem);
  });

  test('merges consecutive user messages', () => {
    const messages = ['a', 'b'].map((content) => ({ role: 'user', content }));
    expect(bodyOf({ messages })).toMatchObject({ Messages: [{ Role: 'user', Content: 'a\nb' }] });
  });
});

test.each([
  ['{"ErrorMsg":{"Msg":"engine broke","Code":4001}}', 502, 'engine broke'],
  ['{"Response":{"Error":{"Code":"LimitExceeded","Message":"slow"}}}', 429, 'slow'],
])('ends a stream with the error inside it: %s', (data, status, message) => {
  const bytes = Buffer.from(`${piece({ Content: 'Hel' })}data: ${data}\n\n`);
  expect(() => readStreamedResponse(hunyuanChat, [bytes])).toThrow(UpstreamProblem);
  expect(() => readStreamedResponse(hunyuanChat, [bytes])).toThrow(expect.objectContaining({ status, message }));
});
