import { readChatRequest } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import type { JsonObject, UpstreamRequest } from '../provider.ts';
import { sigV4Headers } from '../sigv4.ts';
import { awsChunk, awsException } from '../testing/aws-message.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { describeChatAdaptor, readStreamedResponse } from '../testing/chat-suite.ts';
import { claudeBodies, userText } from '../testing/claude-bodies.ts';
import { chatAdaptorFor, claude } from './chat.ts';

const pair = { accessKey: 'AKIDEXAMPLE', secretKey: 'secret', region: 'us-east-1', service: 'bedrock' };
const upstream = { key: 'AKIDEXAMPLE|secret|us-east-1', model: 'claude-3-haiku-20240307' };
const headers = { 'content-type': 'application/json', accept: 'application/json' };
const url = 'https://upstream.test/model/anthropic.claude-3-haiku-20240307-v1%3A0/invoke';

/** Signs the body under test; the signature itself is tested with Amazon's published examples. */
const sent = (fields: JsonObject) => {
  const body = { anthropic_version: 'bedrock-2023-05-31', max_tokens: 4096, ...fields };
  const request = { method: 'POST' as const, url, headers, body: JSON.stringify(body) };
  return { ...request, headers: sigV4Headers(request, pair, testUpstream.now), body };
};

const textStream = [
  { type: 'message_start', message: { content: [], stop_reason: null, usage: { input_tokens: 9, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Grüß ' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '"dich" 🌍' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 3 } },
  { type: 'message_stop', 'amazon-bedrock-invocationMetrics': { inputTokenCount: 9, outputTokenCount: 3 } },
];

const toolStream = [
  { type: 'message_start', message: { content: [], stop_reason: null, usage: { input_tokens: 50, output_tokens: 2 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 't1', name: 'weather', input: {} } },
  { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"city":' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '"Oslo"}' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 't2', name: 'now', input: {} } },
  { type: 'content_block_stop', index: 1 },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 60 } },
  { type: 'message_stop' },
];

describeChatAdaptor('Bedrock Claude', {
  adaptor: claude,
  upstream,
  cases: {
    text: {
      sent: sent({ max_tokens: 64, messages: [userText('Say hello')] }),
      replied: {
        type: 'message',
        content: [{ type: 'text', text: 'Hello' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 9, output_tokens: 3, cache_read_input_tokens: 2 },
      },
      response: {
        choices: [{ content: 'Hello', finishReason: 'stop' }],
        usage: { promptTokens: 11, completionTokens: 3, cachedTokens: 2 },
      },
    },
    conversation: { sent: sent(claudeBodies.conversation) },
    system: { sent: sent(claudeBodies.system) },
    toolCall: { sent: sent(claudeBodies.toolCall) },
    toolResult: { sent: sent(claudeBodies.toolResult) },
    image: { sent: sent(claudeBodies.image) },
  },
  streams: {
    text: {
      bytes: Buffer.concat(textStream.map(awsChunk)),
      response: {
        choices: [{ content: 'Grüß "dich" 🌍', finishReason: 'length' }],
        usage: { promptTokens: 9, completionTokens: 3 },
      },
    },
    toolCall: {
      bytes: Buffer.concat(toolStream.map(awsChunk)),
      response: {
        choices: [
          {
            content: '',
            toolCalls: [
              { id: 't1', name: 'weather', arguments: '{"city":"Oslo"}' },
              { id: 't2', name: 'now', arguments: '{}' },
            ],
            finishReason: 'tool_calls',
          },
        ],
        usage: { promptTokens: 50, completionTokens: 60 },
      },
    },
  },
  problems: {
    401: { body: { message: 'No' }, message: 'No' },
    429: { body: { message: 'Too many requests' }, message: 'Too many requests' },
    500: { body: { message: 'The system failed' }, message: 'The system failed' },
  },
  emptyResponse: { type: 'message', content: [], stop_reason: null },
  responseWithoutUsage: { content: [{ type: 'text', text: 'Hello' }], stop_reason: 'end_turn' },
});

const encoded = (over: object, requested: JsonObject = {}): UpstreamRequest =>
  claude.encode(readChatRequest({ messages: [{ role: 'user', content: 'hi' }], max_tokens: 16, ...requested }), {
    ...testUpstream,
    ...upstream,
    ...over,
  });

describe('Bedrock requests', () => {
  test("uses the region's host without a base URL", () => {
    expect(encoded({ baseUrl: '', key: 'AK|SK|eu-west-3' }).url).toBe(
      'https://bedrock-runtime.eu-west-3.amazonaws.com/model/anthropic.claude-3-haiku-20240307-v1%3A0/invoke',
    );
    expect(encoded({ isStream: true }).url).toBe(
      'https://upstream.test/model/anthropic.claude-3-haiku-20240307-v1%3A0/invoke-with-response-stream',
    );
  });

  test('sends an unknown model name as an id, in one path segment', () => {
    const arn = 'arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-6';
    expect(encoded({ model: arn }).url).toBe(
      'https://upstream.test/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A123456789012%3Ainference-profile%2Fus.anthropic.claude-sonnet-4-6/invoke',
    );
  });

  test("prefers the channel's fields over its key", () => {
    const config = { ak: 'OTHER', sk: 'hidden', region: 'us-west-2' };
    expect(encoded({ config, key: 'whatever' }).headers['authorization']).toContain(
      'Credential=OTHER/20250101/us-west-2/bedrock/aws4_request',
    );
  });

  test('sends the session token of a temporary key, or an API key', () => {
    expect(encoded({ key: 'AK|SK|us-east-1|token' }).headers['x-amz-security-token']).toBe('token');
    for (const over of [{ key: 'ABSKx|us-east-1' }, { key: 'ABSKx', config: { region: 'us-east-1' } }]) {
      expect(encoded({ ...over, baseUrl: '' })).toMatchObject({
        url: expect.stringMatching(/^https:\/\/bedrock-runtime\.us-east-1\.amazonaws\.com\//),
        headers: { authorization: 'Bearer ABSKx' },
      });
    }
  });

  test.each(['', '|', 'AK||us-east-1', '|SK|us-east-1', 'AK|SK|', 'AK|SK|evil.test/', 'ABSKx'])(
    'rejects an incomplete key without revealing it: %j',
    (key) => {
      expect(() => encoded({ key })).toThrow(
        expect.objectContaining({ status: 401, message: expect.not.stringContaining('SK|') }),
      );
    },
  );

  test('keeps prompt cache markers in place', () => {
    const mark = { cache_control: { type: 'ephemeral' } };
    const tools = [{ type: 'function', function: { name: 'f' }, ...mark }];
    const messages = [
      { role: 'system', content: [{ type: 'text', text: 'A long book', ...mark }] },
      { role: 'user', content: [{ type: 'text', text: 'hi', ...mark }] },
    ];
    const body = JSON.parse(encoded({}, { messages, tools }).body ?? '') as JsonObject;
    expect(body).toMatchObject({
      system: [{ type: 'text', text: 'A long book', ...mark }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi', ...mark }] }],
      tools: [{ name: 'f', ...mark }],
    });
  });

  test("moves betas from Anthropic's header to the body", () => {
    const clientHeaders = { 'anthropic-beta': 'context-1m-2025-08-07, ,interleaved-thinking-2025-05-14' };
    const { headers, body } = encoded({ clientHeaders });
    expect(JSON.parse(body ?? '')).toMatchObject({
      anthropic_beta: ['context-1m-2025-08-07', 'interleaved-thinking-2025-05-14'],
    });
    expect(headers).not.toHaveProperty('anthropic-beta');
  });

  test('sets reasoning for newer models and omits the user', () => {
    const requested = { reasoning_effort: 'high', user: 'u-1' };
    const body = JSON.parse(encoded({ model: 'us.anthropic.claude-opus-4-6-v1' }, requested).body ?? '') as JsonObject;
    expect(body).toEqual({
      anthropic_version: 'bedrock-2023-05-31',
      max_tokens: 16,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'high' },
    });
  });

  test.each([
    ['claude-3-5-sonnet-latest', 'invoke'],
    ['eu.anthropic.claude-sonnet-4-5-20250929-v1:0', 'invoke'],
    ['llama3-70b-8192', 'invoke'],
    ['us.meta.llama3-3-70b-instruct-v1:0', 'converse'],
    ['amazon.nova-pro-v1:0', 'converse'],
  ])('calls %s with the %s action', (model, action) => {
    const requested = { ...testUpstream, ...upstream, model };
    const request = readChatRequest({ messages: [{ role: 'user', content: 'hi' }] });
    expect(chatAdaptorFor(requested).encode(request, requested).url).toMatch(new RegExp(`/${action}$`));
  });
});

describe('Bedrock errors', () => {
  test.each([
    ['throttlingException', 429],
    ['validationException', 400],
    ['modelStreamErrorException', 502],
    ['InternalServerException', 502],
    ['serviceUnavailableException', 503],
    ['modelTimeoutException', 504],
    ['somethingNewException', 502],
  ])('maps %s inside a stream to %s', (name, status) => {
    const bytes = Buffer.concat([awsChunk(textStream[0]), awsException(name, 'It failed')]);
    expect(() => readStreamedResponse(claude, [bytes])).toThrow(
      expect.objectContaining({ status, message: 'It failed' }),
    );
  });

  test.each([
    [403, 'The security token included in the request is invalid.', 401],
    [403, 'The request signature we calculated does not match the signature you provided.', 401],
    [403, "You don't have access to the model with the specified model ID.", undefined],
    [424, 'The model failed', 502],
    [408, 'The model took too long', 504],
  ])('maps %s with "%s" to %s', (status, message, shown) => {
    expect(claude.readProblem?.(status, { message })?.status).toBe(shown);
  });

  test('ignores a message of an unknown type', () => {
    const golden = Buffer.from(
      '000000870000004b87ea2bf30b3a6576656e742d747970650700056368756e6b0d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d747970650700056576656e747b226279746573223a2265794a306558426c496a6f696257567a6332466e5a56397a64473977496e303d227dba48ab22',
      'hex',
    );
    expect(awsChunk({ type: 'message_stop' })).toEqual(golden);
    expect(readStreamedResponse(claude, [golden])).toBeUndefined();
  });
});
