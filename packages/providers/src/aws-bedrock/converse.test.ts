import { RequestProblem, readChatRequest } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../provider.ts';
import { awsEvent } from '../testing/aws-message.ts';
import { onePixelImage, testUpstream } from '../testing/chat-cases.ts';
import { describeChatAdaptor, readStreamedResponse } from '../testing/chat-suite.ts';
import { fittedRequest } from '../testing/fitted-request.ts';
import { converse } from './chat.ts';
import { converseBody } from './converse-request.ts';

const upstream = { key: 'ABSKx|us-east-1', model: 'amazon.nova-pro-v1:0' };

const sent = (body: JsonObject) => ({
  method: 'POST' as const,
  url: 'https://upstream.test/model/amazon.nova-pro-v1%3A0/converse',
  headers: { 'content-type': 'application/json', accept: 'application/json', authorization: 'Bearer ABSKx' },
  body,
});

const userText = (text: string) => ({ role: 'user', content: [{ text }] });

const weather = {
  toolSpec: {
    name: 'weather',
    description: 'The weather of a city',
    inputSchema: { json: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
  },
};

const responded = (content: readonly JsonObject[], stopReason: string, usage?: JsonObject) => ({
  metrics: { latencyMs: 5 },
  output: { message: { role: 'assistant', content } },
  stopReason,
  ...(usage && { usage }),
});

const events = (...named: readonly (readonly [string, JsonObject])[]) =>
  Buffer.concat(named.map(([name, payload]) => awsEvent(name, JSON.stringify({ ...payload, p: 'abcdef' }))));

describeChatAdaptor('Bedrock Converse', {
  adaptor: converse,
  upstream,
  cases: {
    text: {
      sent: sent({ messages: [userText('Say hello')], inferenceConfig: { maxTokens: 64 } }),
      replied: responded([{ text: 'Hel' }, { text: 'lo' }], 'end_turn', {
        inputTokens: 433,
        cacheReadInputTokens: 2752,
        cacheWriteInputTokens: 5,
        outputTokens: 16,
        totalTokens: 3206,
      }),
      response: {
        choices: [{ content: 'Hello', finishReason: 'stop' }],
        usage: { promptTokens: 3190, completionTokens: 16, cachedTokens: 2752, cacheWriteTokens: 5 },
      },
    },
    conversation: {
      sent: sent({
        messages: [
          userText('My name is Ada'),
          { role: 'assistant', content: [{ text: 'Hello Ada' }] },
          { role: 'user', content: [{ text: 'What is ' }, { text: 'my name?' }] },
        ],
        inferenceConfig: { temperature: 0.5 },
      }),
    },
    system: {
      sent: sent({
        system: [{ text: 'Be brief' }, { text: 'Be kind' }],
        messages: [userText('Hello')],
        inferenceConfig: { stopSequences: ['END', 'STOP'] },
      }),
    },
    toolCall: {
      sent: sent({
        messages: [userText('Weather in Oslo?')],
        toolConfig: { tools: [weather], toolChoice: { any: {} } },
      }),
      replied: responded(
        [
          { reasoningContent: { reasoningText: { text: 'A tool helps.', signature: 'c2ln' } } },
          { text: 'I look.' },
          { toolUse: { toolUseId: 't1', name: 'weather', input: { city: 'Oslo' } } },
          { toolUse: { toolUseId: 't2', name: 'now' } },
        ],
        'tool_use',
        { inputTokens: 20, outputTokens: 10, totalTokens: 30 },
      ),
      response: {
        choices: [
          {
            content: 'I look.',
            reasoning: 'A tool helps.',
            toolCalls: [
              { id: 't1', name: 'weather', arguments: '{"city":"Oslo"}' },
              { id: 't2', name: 'now', arguments: '{}' },
            ],
            finishReason: 'tool_calls',
          },
        ],
        usage: { promptTokens: 20, completionTokens: 10 },
      },
    },
    toolResult: {
      sent: sent({
        messages: [
          userText('Weather in Oslo and Rome?'),
          {
            role: 'assistant',
            content: [
              { toolUse: { toolUseId: 'call_1', name: 'weather', input: { city: 'Oslo' } } },
              { toolUse: { toolUseId: 'call_2', name: 'weather', input: { city: 'Rome' } } },
            ],
          },
          {
            role: 'user',
            content: [
              { toolResult: { toolUseId: 'call_1', content: [{ text: 'rain' }] } },
              { toolResult: { toolUseId: 'call_2', content: [{ text: 'sun' }] } },
            ],
          },
        ],
        toolConfig: { tools: [weather] },
      }),
    },
    image: {
      sent: sent({
        messages: [
          {
            role: 'user',
            content: [{ text: 'What is this?' }, { image: { format: 'png', source: { bytes: onePixelImage } } }],
          },
        ],
      }),
    },
  },
  streams: {
    text: {
      bytes: events(
        ['messageStart', { role: 'assistant' }],
        ['contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Greet ' } } }],
        ['contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text: 'back' } } }],
        ['contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { signature: 'c2ln' } } }],
        ['contentBlockStop', { contentBlockIndex: 0 }],
        ['contentBlockDelta', { contentBlockIndex: 1, delta: { text: 'Grüß ' } }],
        ['contentBlockDelta', { contentBlockIndex: 1, delta: { text: 'dich 🌍' } }],
        ['contentBlockStop', { contentBlockIndex: 1 }],
        ['messageStop', { stopReason: 'end_turn' }],
        ['metadata', { usage: { inputTokens: 5, outputTokens: 4, totalTokens: 9 }, metrics: { latencyMs: 1 } }],
      ),
      response: {
        choices: [{ content: 'Grüß dich 🌍', reasoning: 'Greet back', finishReason: 'stop' }],
        usage: { promptTokens: 5, completionTokens: 4 },
      },
    },
    toolCall: {
      bytes: events(
        ['messageStart', { role: 'assistant' }],
        ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'I look.' } }],
        ['contentBlockStop', { contentBlockIndex: 0 }],
        ['contentBlockStart', { contentBlockIndex: 1, start: { toolUse: { toolUseId: 't1', name: 'weather' } } }],
        ['contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input: '{"city":' } } }],
        ['contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input: '"Oslo"}' } } }],
        ['contentBlockStop', { contentBlockIndex: 1 }],
        ['contentBlockStart', { contentBlockIndex: 2, start: { toolUse: { toolUseId: 't2', name: 'now' } } }],
        ['contentBlockStop', { contentBlockIndex: 2 }],
        ['messageStop', { stopReason: 'tool_use' }],
        ['metadata', { usage: { inputTokens: 50, outputTokens: 60 } }],
      ),
      response: {
        choices: [
          {
            content: 'I look.',
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
    401: { body: { Message: 'No' }, message: 'No' },
    429: { body: { message: 'Too many requests' }, message: 'Too many requests' },
    500: { body: { message: 'The system failed' }, message: 'The system failed' },
  },
  emptyResponse: { output: { message: { role: 'assistant' } }, stopReason: 'end_turn' },
  responseWithoutUsage: responded([{ text: 'Hello' }], 'end_turn'),
});

const bodyOf = (requestBody: JsonObject, model: string = upstream.model) => {
  const request = fittedRequest(converse, { messages: [{ role: 'user', content: 'Hello' }], ...requestBody });
  return JSON.parse(converse.encode(request, { ...testUpstream, ...upstream, model }).body ?? '') as JsonObject;
};

describe('Converse requests', () => {
  const tools = [{ type: 'function', function: { name: 'now' } }];
  const call = { id: 'c|1', type: 'function', function: { name: 'now', arguments: '{}' } };
  const used = [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c|1', content: '' },
  ];

  test.each([
    ['auto', { auto: {} }],
    ['required', { any: {} }],
    [{ type: 'function', function: { name: 'now' } }, { tool: { name: 'now' } }],
  ])('maps tool_choice %j to %j', (choice, wanted) => {
    expect(bodyOf({ tools, tool_choice: choice })['toolConfig']).toMatchObject({ toolChoice: wanted });
  });

  test('omits tools for tool_choice none, and rejects tool_choice none when the conversation contains tool calls', () => {
    expect(bodyOf({ tools, tool_choice: 'none' })['toolConfig']).toBeUndefined();
    expect(() => bodyOf({ tools, tool_choice: 'none', messages: used })).toThrow('tool_choice');
  });

  test('declares tools that earlier calls used, even if the client no longer declares them', () => {
    expect(bodyOf({ messages: used })).toMatchObject({
      messages: [
        { role: 'user' },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'c_1', name: 'now', input: {} } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 'c_1', content: [] } }] },
      ],
      toolConfig: { tools: [{ toolSpec: { name: 'now', inputSchema: { json: { type: 'object' } } } }] },
    });
  });

  test('sends an output schema as text', () => {
    const format = { type: 'json_schema', json_schema: { name: 'city', schema: { type: 'object', properties: {} } } };
    expect(bodyOf({ response_format: format })['outputConfig']).toEqual({
      textFormat: {
        type: 'json_schema',
        structure: {
          jsonSchema: { name: 'city', schema: '{"type":"object","properties":{},"additionalProperties":false}' },
        },
      },
    });
  });

  test.each([
    ['openai.gpt-oss-120b-1:0', 'low', { reasoning_effort: 'low' }],
    ['us.amazon.nova-2-lite-v1:0', 'minimal', { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' } }],
    ['amazon.nova-pro-v1:0', 'none', undefined],
  ])("sends %s an effort of %s in the model's own format", (model, effort, wanted) => {
    expect(bodyOf({ reasoning_effort: effort }, model)['additionalModelRequestFields']).toEqual(wanted);
  });

  test('rejects an unsupported effort and names the field, but omits an optional one', () => {
    expect(() => bodyOf({ reasoning_effort: 'high' })).toThrow(RequestProblem);
    expect(() => bodyOf({ reasoning_effort: 'high' })).toThrow('reasoning_effort');
    const request = {
      ...readChatRequest({ messages: [], reasoning_effort: 'high' }),
      extras: { isReasoningOptional: true },
    };
    expect(converseBody(request, 'amazon.titan-x')).not.toHaveProperty('additionalModelRequestFields');
  });

  test('sends a document with a format and a sanitized name, and clamps sampling parameters', () => {
    const file = { filename: 'Q3_report.v2.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' };
    const content = [
      { type: 'file', file },
      { type: 'image_url', image_url: { url: 'data:image/jpg;base64,AAAA' } },
    ];
    expect(bodyOf({ messages: [{ role: 'user', content }], temperature: 2, top_p: 0.3 })).toEqual({
      messages: [
        {
          role: 'user',
          content: [
            { document: { format: 'pdf', name: 'Q3-report-v2', source: { bytes: 'JVBERi0=' } } },
            { image: { format: 'jpeg', source: { bytes: 'AAAA' } } },
          ],
        },
      ],
      inferenceConfig: { temperature: 1, topP: 0.3 },
    });
    const zip = [{ type: 'file', file: { file_data: 'data:application/zip;base64,AAAA' } }];
    expect(() => bodyOf({ messages: [{ role: 'user', content: zip }] })).toThrow(RequestProblem);
  });
});

describe('Converse responses', () => {
  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['guardrail_intervened', 'content_filter'],
    ['content_filtered', 'content_filter'],
  ])('maps stop reason %s to %s', (stopReason, finishReason) => {
    expect(converse.decode?.(responded([{ text: 'Hi' }], stopReason)).choices[0]?.finishReason).toBe(finishReason);
  });

  test('ignores unknown events', () => {
    const bytes = events(
      ['initial-response', {}],
      ['contentBlockDelta', { contentBlockIndex: 9, delta: { toolUse: { input: '{}' } } }],
      ['contentBlockStart', { contentBlockIndex: 9, start: {} }],
      ['metadata', {}],
      ['messageStop', {}],
    );
    expect(readStreamedResponse(converse, [bytes])).toEqual({
      choices: [{ content: '', finishReason: 'stop' }],
      usage: undefined,
    });
  });
});
