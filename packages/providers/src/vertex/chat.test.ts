import { readChatRequest } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../provider.ts';
import { onePixelImage, testUpstream } from '../testing/chat-cases.ts';
import { describeChatAdaptor } from '../testing/chat-suite.ts';
import { claudeBodies, userText } from '../testing/claude-bodies.ts';
import { chatAdaptorFor, claude, gemini } from './chat.ts';

const account = JSON.stringify({ type: 'service_account', project_id: 'from-json' });
const upstream = { key: `europe-west4|our-project|${account}`, credential: 'token' };
const publishers = 'projects/our-project/locations/europe-west4/publishers';
const headers = { 'content-type': 'application/json', authorization: 'Bearer token' };

const sse = (event: JsonObject) => `data: ${JSON.stringify(event)}\n\n`;

const googleProblems = {
  401: {
    body: { error: { code: 401, message: 'Request had invalid credentials.', status: 'UNAUTHENTICATED' } },
    message: 'Request had invalid credentials.',
  },
  429: {
    body: [{ error: { code: 429, message: 'Resource exhausted.', status: 'RESOURCE_EXHAUSTED' } }],
    message: 'Resource exhausted.',
  },
  500: { body: { error: { code: 500, message: 'Internal error', status: 'INTERNAL' } }, message: 'Internal error' },
};

const safetySettings = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT'].map((category) => ({
  category: `HARM_CATEGORY_${category}`,
  threshold: 'BLOCK_NONE',
}));
const geminiSent = (body: JsonObject) => ({
  method: 'POST' as const,
  url: `https://upstream.test/v1beta1/${publishers}/google/models/gemini-2.5-flash:generateContent`,
  headers,
  body: { ...body, safetySettings },
});
const turn = (role: string, ...parts: readonly JsonObject[]) => ({ role, parts });
const functions = [
  {
    functionDeclarations: [
      {
        name: 'weather',
        description: 'The weather of a city',
        parametersJsonSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
    ],
  },
];

describeChatAdaptor('Vertex Gemini', {
  adaptor: gemini,
  upstream: { ...upstream, model: 'gemini-2.5-flash' },
  cases: {
    text: {
      sent: geminiSent({
        contents: [turn('user', { text: 'Say hello' })],
        generationConfig: { maxOutputTokens: 64 },
      }),
      replied: {
        candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2 },
      },
      response: {
        choices: [{ content: 'Hello', finishReason: 'stop' }],
        usage: { promptTokens: 5, completionTokens: 2 },
      },
    },
    conversation: {
      sent: geminiSent({
        contents: [
          turn('user', { text: 'My name is Ada' }),
          turn('model', { text: 'Hello Ada' }),
          turn('user', { text: 'What is ' }, { text: 'my name?' }),
        ],
        generationConfig: { temperature: 0.5 },
      }),
    },
    system: {
      sent: geminiSent({
        contents: [turn('user', { text: 'Hello' })],
        systemInstruction: { parts: [{ text: 'Be brief' }, { text: 'Be kind' }] },
        generationConfig: { stopSequences: ['END', 'STOP'] },
      }),
    },
    toolCall: {
      sent: geminiSent({
        contents: [turn('user', { text: 'Weather in Oslo?' })],
        tools: functions,
        toolConfig: { functionCallingConfig: { mode: 'ANY' } },
      }),
    },
    toolResult: {
      sent: geminiSent({
        contents: [
          turn('user', { text: 'Weather in Oslo and Rome?' }),
          turn(
            'model',
            { functionCall: { id: 'call_1', name: 'weather', args: { city: 'Oslo' } } },
            { functionCall: { id: 'call_2', name: 'weather', args: { city: 'Rome' } } },
          ),
          turn(
            'user',
            { functionResponse: { id: 'call_1', name: 'weather', response: { result: 'rain' } } },
            { functionResponse: { id: 'call_2', name: 'weather', response: { result: 'sun' } } },
          ),
        ],
        tools: functions,
      }),
    },
    image: {
      sent: geminiSent({
        contents: [
          turn('user', { text: 'What is this?' }, { inlineData: { mimeType: 'image/png', data: onePixelImage } }),
        ],
      }),
    },
  },
  streams: {
    text: {
      bytes: [
        { candidates: [{ content: { role: 'model', parts: [{ text: 'Grüß ' }] } }] },
        {
          candidates: [{ content: { role: 'model', parts: [{ text: 'dich' }] }, finishReason: 'STOP' }],
          usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 4 },
        },
      ]
        .map(sse)
        .join(''),
      response: {
        choices: [{ content: 'Grüß dich', finishReason: 'stop' }],
        usage: { promptTokens: 5, completionTokens: 4 },
      },
    },
    toolCall: {
      bytes: [
        {
          candidates: [{ content: { parts: [{ functionCall: { name: 'weather', args: { city: 'Oslo' } } }] } }],
          responseId: 'r1',
        },
        { candidates: [{ finishReason: 'STOP' }], usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 6 } },
      ]
        .map(sse)
        .join(''),
      response: {
        choices: [
          {
            content: '',
            toolCalls: [{ id: 'call_r1_0_0', name: 'weather', arguments: '{"city":"Oslo"}' }],
            finishReason: 'tool_calls',
          },
        ],
        usage: { promptTokens: 9, completionTokens: 6 },
      },
    },
  },
  problems: googleProblems,
  emptyResponse: { candidates: [] },
});

const claudeSent = (fields: JsonObject) => ({
  method: 'POST' as const,
  url: `https://upstream.test/v1/${publishers}/anthropic/models/claude-3-5-sonnet-v2@20241022:rawPredict`,
  headers,
  body: { anthropic_version: 'vertex-2023-10-16', max_tokens: 4096, ...fields },
});

describeChatAdaptor('Vertex Claude', {
  adaptor: claude,
  upstream: { ...upstream, model: 'claude-3-5-sonnet-v2@20241022' },
  cases: {
    text: {
      sent: claudeSent({ max_tokens: 64, messages: [userText('Say hello')] }),
      replied: {
        type: 'message',
        content: [{ type: 'text', text: 'Hello' }],
        stop_reason: 'end_turn',
        usage: { input_tokens: 9, output_tokens: 3 },
      },
      response: {
        choices: [{ content: 'Hello', finishReason: 'stop' }],
        usage: { promptTokens: 9, completionTokens: 3 },
      },
    },
    conversation: { sent: claudeSent(claudeBodies.conversation) },
    system: { sent: claudeSent(claudeBodies.system) },
    toolCall: { sent: claudeSent(claudeBodies.toolCall) },
    toolResult: { sent: claudeSent(claudeBodies.toolResult) },
    image: { sent: claudeSent(claudeBodies.image) },
  },
  streams: {
    text: {
      bytes: [
        { type: 'message_start', message: { content: [], stop_reason: null, usage: { input_tokens: 9 } } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Grüß ' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'dich' } },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
      ]
        .map(sse)
        .join(''),
      response: {
        choices: [{ content: 'Grüß dich', finishReason: 'stop' }],
        usage: { promptTokens: 9, completionTokens: 3 },
      },
    },
    toolCall: {
      bytes: [
        { type: 'message_start', message: { content: [], stop_reason: null, usage: { input_tokens: 50 } } },
        {
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'tool_use', id: 't1', name: 'now', input: {} },
        },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 6 } },
      ]
        .map(sse)
        .join(''),
      response: {
        choices: [{ content: '', toolCalls: [{ id: 't1', name: 'now', arguments: '{}' }], finishReason: 'tool_calls' }],
        usage: { promptTokens: 50, completionTokens: 6 },
      },
    },
  },
  problems: googleProblems,
  emptyResponse: { type: 'message', content: [], stop_reason: null },
});

describe('Vertex requests', () => {
  const request = readChatRequest({ messages: [{ role: 'user', content: 'Hi' }] });
  const encoded = (over: object) => {
    const requested = { ...testUpstream, ...upstream, baseUrl: '', model: 'gemini-2.5-flash', ...over };
    const adaptor = chatAdaptorFor(requested);
    return adaptor.kind === 'pass' ? adaptor.send(requested) : adaptor.encode(request, requested);
  };

  test.each([
    ['us-east5', 'us-east5-aiplatform.googleapis.com'],
    ['global', 'aiplatform.googleapis.com'],
    ['eu', 'aiplatform.eu.rep.googleapis.com'],
  ])('uses the host of %s without a base URL', (region, host) => {
    expect(encoded({ key: `${region}|our-project|${account}` }).url).toBe(
      `https://${host}/v1beta1/projects/our-project/locations/${region}/publishers/google/models/gemini-2.5-flash:generateContent`,
    );
  });

  test('uses a separate action for streams', () => {
    expect(encoded({ isStream: true }).url).toMatch(/gemini-2\.5-flash:streamGenerateContent\?alt=sse$/);
    const stream = claude.encode(request, { ...testUpstream, ...upstream, isStream: true, model: 'claude-opus-4-6' });
    expect(stream.url).toMatch(/\/anthropic\/models\/claude-opus-4-6:streamRawPredict$/);
    expect(JSON.parse(stream.body ?? '')).toMatchObject({ stream: true });
  });

  test("passes Claude's betas on, but not the client's credentials", () => {
    const clientHeaders = { 'anthropic-beta': 'context-1m-2025-08-07', authorization: 'Bearer mine' };
    expect(encoded({ model: 'claude-opus-4-6', clientHeaders }).headers).toEqual({
      'content-type': 'application/json',
      'anthropic-beta': 'context-1m-2025-08-07',
      authorization: 'Bearer token',
    });
    expect(encoded({ clientHeaders }).headers).not.toHaveProperty('anthropic-beta');
  });

  test('uses the OpenAI-compatible endpoint for other publishers', () => {
    expect(encoded({ model: 'meta/llama-4-maverick-17b-128e-instruct-maas' })).toEqual({
      url: 'https://europe-west4-aiplatform.googleapis.com/v1beta1/projects/our-project/locations/europe-west4/endpoints/openapi/chat/completions',
      headers: { authorization: 'Bearer token' },
    });
  });

  test("prefers the channel's fields over its key, and accepts a bare JSON key", () => {
    const config = { region: 'us-east5', vertex_ai_project_id: 'theirs', vertex_ai_adc: account };
    expect(encoded({ config }).url).toContain('/projects/theirs/locations/us-east5/');
    expect(encoded({ key: account }).url).toContain('/projects/from-json/locations/global/');
  });

  test('sends an API key directly, without a project', () => {
    const { url, headers: sentHeaders } = encoded({ key: 'AQ.key', credential: '' });
    expect(url).toBe(
      'https://aiplatform.googleapis.com/v1beta1/publishers/google/models/gemini-2.5-flash:generateContent',
    );
    expect(sentHeaders).toMatchObject({ 'x-goog-api-key': 'AQ.key' });
  });

  test.each(['', 'us-east5|p|', 'evil.test/|p|{}', '{"type":', 'us-east5||{}'])(
    'rejects an incomplete key: %j',
    (key) => {
      expect(() => encoded({ key })).toThrow(expect.objectContaining({ status: 401 }));
    },
  );

  test("sends a user account's quota project", () => {
    const adc = JSON.stringify({ type: 'authorized_user', quota_project_id: 'payer' });
    expect(encoded({ key: `global|p|${adc}` }).headers).toMatchObject({ 'x-goog-user-project': 'payer' });
  });
});
