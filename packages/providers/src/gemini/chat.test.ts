import { readChatRequest } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../provider.ts';
import { onePixelImage, testUpstream } from '../testing/chat-cases.ts';
import { describeChatAdaptor, readStreamedResponse } from '../testing/chat-suite.ts';
import { fittedRequest } from '../testing/fitted-request.ts';
import { chat } from './chat.ts';
import { readGeminiProblem } from './generate-response.ts';

const url = 'https://upstream.test/v1beta/models/gemini-2.5-flash:generateContent';
const headers = { 'content-type': 'application/json', 'x-goog-api-key': 'test-key' };
const safetySettings = ['HARASSMENT', 'HATE_SPEECH', 'SEXUALLY_EXPLICIT', 'DANGEROUS_CONTENT'].map((category) => ({
  category: `HARM_CATEGORY_${category}`,
  threshold: 'BLOCK_NONE',
}));
const sent = (body: JsonObject) => ({ method: 'POST' as const, url, headers, body: { ...body, safetySettings } });
const user = (...parts: readonly JsonObject[]) => ({ role: 'user', parts });
const model = (...parts: readonly JsonObject[]) => ({ role: 'model', parts });

const tools = [
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

const replied = {
  candidates: [{ content: { parts: [{ text: 'Hello' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 },
  modelVersion: 'gemini-2.5-flash',
  responseId: 'r1',
};

const line = (body: unknown) => `data: ${JSON.stringify(body)}\r\n\r\n`;

const textStream = [
  { candidates: [{ content: { parts: [{ text: 'I think', thought: true }] } }] },
  {
    candidates: [{ content: { parts: [{ text: 'Grüße ' }], role: 'model' }, index: 0 }],
    usageMetadata: { promptTokenCount: 5, totalTokenCount: 5 },
  },
  {
    candidates: [{ content: { parts: [{ text: '你好' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: 5,
      cachedContentTokenCount: 3,
      candidatesTokenCount: 2,
      thoughtsTokenCount: 4,
      totalTokenCount: 11,
    },
  },
]
  .map(line)
  .join('');

const callStream = [
  {
    candidates: [
      { content: { parts: [{ functionCall: { name: 'weather', args: { city: 'Oslo' } }, thoughtSignature: 'x' }] } },
    ],
    responseId: 'r1',
  },
  {
    candidates: [{ content: { parts: [{ functionCall: { id: 'given', name: 'time', args: {} } }] }, index: 0 }],
    responseId: 'r1',
  },
  {
    candidates: [{ content: { parts: [{ text: '' }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 6 },
    responseId: 'r1',
  },
]
  .map(line)
  .join('');

describeChatAdaptor('Gemini', {
  adaptor: chat,
  upstream: { model: 'gemini-2.5-flash' },
  cases: {
    text: {
      sent: sent({ contents: [user({ text: 'Say hello' })], generationConfig: { maxOutputTokens: 64 } }),
      replied,
      response: {
        choices: [{ content: 'Hello', finishReason: 'stop' }],
        usage: { promptTokens: 5, completionTokens: 2 },
      },
    },
    conversation: {
      sent: sent({
        contents: [
          user({ text: 'My name is Ada' }),
          model({ text: 'Hello Ada' }),
          user({ text: 'What is ' }, { text: 'my name?' }),
        ],
        generationConfig: { temperature: 0.5 },
      }),
    },
    system: {
      sent: sent({
        contents: [user({ text: 'Hello' })],
        systemInstruction: { parts: [{ text: 'Be brief' }, { text: 'Be kind' }] },
        generationConfig: { stopSequences: ['END', 'STOP'] },
      }),
    },
    toolCall: {
      sent: sent({
        contents: [user({ text: 'Weather in Oslo?' })],
        tools,
        toolConfig: { functionCallingConfig: { mode: 'ANY' } },
      }),
      replied: {
        ...replied,
        candidates: [
          {
            content: {
              parts: [
                { text: 'Oslo is a city', thought: true },
                { functionCall: { name: 'weather', args: { city: 'Oslo' } } },
                { functionCall: { id: 'given', name: 'time' } },
              ],
            },
            finishReason: 'STOP',
          },
        ],
        usageMetadata: {
          promptTokenCount: 50,
          toolUsePromptTokenCount: 7,
          cachedContentTokenCount: 40,
          candidatesTokenCount: 5,
          thoughtsTokenCount: 20,
        },
      },
      response: {
        choices: [
          {
            content: '',
            reasoning: 'Oslo is a city',
            toolCalls: [
              { id: 'call_r1_0_0', name: 'weather', arguments: '{"city":"Oslo"}' },
              { id: 'given', name: 'time', arguments: '{}' },
            ],
            finishReason: 'tool_calls',
          },
        ],
        usage: {
          promptTokens: 57,
          completionTokens: 25,
          cachedTokens: 40,
          reasoningTokens: 20,
        },
      },
    },
    toolResult: {
      sent: sent({
        contents: [
          user({ text: 'Weather in Oslo and Rome?' }),
          model(
            { functionCall: { id: 'call_1', name: 'weather', args: { city: 'Oslo' } } },
            { functionCall: { id: 'call_2', name: 'weather', args: { city: 'Rome' } } },
          ),
          user(
            { functionResponse: { id: 'call_1', name: 'weather', response: { result: 'rain' } } },
            { functionResponse: { id: 'call_2', name: 'weather', response: { result: 'sun' } } },
          ),
        ],
        tools,
      }),
    },
    image: {
      sent: sent({
        contents: [user({ text: 'What is this?' }, { inlineData: { mimeType: 'image/png', data: onePixelImage } })],
      }),
    },
  },
  streams: {
    text: {
      bytes: textStream,
      response: {
        choices: [{ content: 'Grüße 你好', reasoning: 'I think', finishReason: 'stop' }],
        usage: {
          promptTokens: 5,
          completionTokens: 6,
          cachedTokens: 3,
          reasoningTokens: 4,
        },
      },
    },
    toolCall: {
      bytes: callStream,
      response: {
        choices: [
          {
            content: '',
            toolCalls: [
              { id: 'call_r1_0_0', name: 'weather', arguments: '{"city":"Oslo"}', thoughtSignature: 'x' },
              { id: 'given', name: 'time', arguments: '{}' },
            ],
            finishReason: 'tool_calls',
          },
        ],
        usage: { promptTokens: 9, completionTokens: 6 },
      },
    },
  },
  problems: {
    401: {
      body: { error: { code: 401, message: 'Request had invalid credentials.', status: 'UNAUTHENTICATED' } },
      message: 'Request had invalid credentials.',
    },
    429: {
      body: { error: { code: 429, message: 'You exceeded your current quota.', status: 'RESOURCE_EXHAUSTED' } },
      message: 'You exceeded your current quota.',
    },
    500: {
      body: [{ error: { code: 500, message: 'Internal error', status: 'INTERNAL' } }],
      message: 'Internal error',
    },
  },
  errorInSuccess: {
    body: { error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } },
    status: 503,
    message: 'The model is overloaded.',
  },
  emptyResponse: { candidates: [], usageMetadata: { promptTokenCount: 5 } },
  responseWithoutUsage: { candidates: replied.candidates },
});

test('[A27.1] merges 100,000 tool results into one turn in linear time', () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'now', arguments: '{}' } };
  const results = Array.from({ length: 100_000 }, () => ({ role: 'tool', tool_call_id: 'call_1', content: 'noon' }));
  const request = readChatRequest({ messages: [{ role: 'assistant', content: null, tool_calls: [call] }, ...results] });
  const sent = JSON.parse(chat.encode(request, testUpstream).body ?? '') as { contents: { parts: unknown[] }[] };
  expect(sent.contents.map(({ parts }) => parts.length)).toEqual([1, 100_000]);
});

describe('Gemini requests', () => {
  const body = (fields: JsonObject, name = 'gemini-2.5-flash') => {
    const request = fittedRequest(chat, { messages: [{ role: 'user', content: 'Hi' }], ...fields });
    return JSON.parse(chat.encode(request, { ...testUpstream, model: name }).body ?? '') as Record<string, JsonObject>;
  };
  const weather = { type: 'function', function: { name: 'weather' } };

  test('uses a separate URL for streams', () => {
    const request = readChatRequest({ messages: [{ role: 'user', content: 'Hi' }] });
    const address = (upstream: object) => chat.encode(request, { ...testUpstream, ...upstream }).url;
    expect(address({ isStream: true })).toBe(
      'https://upstream.test/v1beta/models/test-model:streamGenerateContent?alt=sse',
    );
    expect(address({ other: 'v1' })).toBe('https://upstream.test/v1/models/test-model:generateContent');
    expect(address({ other: 'v1', config: { api_version: 'v1alpha' } })).toContain('/v1alpha/models/');
    expect(address({ model: '../evil?x=' })).toContain('/v1beta/models/..%2Fevil%3Fx%3D:generateContent');
  });

  test('sends every setting, clamped to its range', () => {
    const { generationConfig } = body({
      temperature: 3,
      top_p: 0.9,
      top_k: 40,
      seed: 7,
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      n: 2,
      max_completion_tokens: 9,
      stop: 'END',
    });
    expect(generationConfig).toEqual({
      temperature: 2,
      topP: 0.9,
      topK: 40,
      seed: 7,
      frequencyPenalty: 0.1,
      presencePenalty: 0.2,
      candidateCount: 2,
      maxOutputTokens: 9,
      stopSequences: ['END'],
    });
  });

  test.each([
    ['auto', { mode: 'AUTO' }],
    ['none', { mode: 'NONE' }],
    [
      { type: 'function', function: { name: 'weather' } },
      { mode: 'ANY', allowedFunctionNames: ['weather'] },
    ],
  ])('sends the tool choice %j', (tool_choice, functionCallingConfig) => {
    expect(body({ tools: [weather], tool_choice })['toolConfig']).toEqual({ functionCallingConfig });
  });

  test('requests JSON with a schema', () => {
    expect(body({ response_format: { type: 'json_object' } })['generationConfig']).toEqual({
      responseMimeType: 'application/json',
    });
    const schema = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', additionalProperties: false };
    expect(
      body({ response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } })['generationConfig'],
    ).toEqual({
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object', additionalProperties: false },
    });
  });

  test.each([
    ['gemini-2.5-flash', 'low', { thinkingBudget: 1024, includeThoughts: true }],
    ['gemini-2.5-flash', 'none', { thinkingBudget: 0 }],
    ['gemini-2.5-pro', 'none', { thinkingBudget: 128 }],
    ['gemini-2.0-flash', 'none', undefined],
    ['gemini-3-flash-preview', 'minimal', { thinkingLevel: 'minimal', includeThoughts: true }],
    ['gemini-3-pro-preview', 'minimal', { thinkingLevel: 'low', includeThoughts: true }],
    ['gemini-3-pro-preview', 'medium', { thinkingLevel: 'high', includeThoughts: true }],
    ['gemini-3.1-pro-preview', 'medium', { thinkingLevel: 'medium', includeThoughts: true }],
    ['gemini-flash-latest', 'xhigh', { thinkingLevel: 'high', includeThoughts: true }],
    ['gemini-3.8-flash', 'none', { thinkingLevel: 'minimal' }],
  ])('maps the effort for %s: %s', (name, reasoning_effort, thinkingConfig) => {
    expect(body({ reasoning_effort }, name)['generationConfig']?.['thinkingConfig']).toEqual(thinkingConfig);
  });

  test('rejects reasoning for a model without it, and an unknown effort', () => {
    expect(() => body({ reasoning_effort: 'low' }, 'gemini-2.0-flash')).toThrow('reasoning_effort');
    expect(() => body({ reasoning_effort: 'low' }, 'gemini-pro')).toThrow('reasoning_effort');
    expect(() => body({ reasoning_effort: 'toString' })).toThrow('reasoning_effort');
  });

  const calls = (...args: readonly string[]) => ({
    role: 'assistant',
    content: 'Wait',
    tool_calls: args.map((json, index) => ({ id: `c${index}`, function: { name: 'weather', arguments: json } })),
  });

  test('adds a signature to the first call of a step for models that require it', () => {
    const contents = body({ messages: [calls('{}', '{}')] }, 'gemini-3-pro-preview')['contents'];
    expect(contents).toEqual([
      model(
        { text: 'Wait' },
        {
          functionCall: { id: 'c0', name: 'weather', args: {} },
          thoughtSignature: 'skip_thought_signature_validator',
        },
        { functionCall: { id: 'c1', name: 'weather', args: {} } },
      ),
    ]);
  });

  test("keeps an object as a tool result, and puts the user's text after it into a separate turn", () => {
    const messages = [
      calls('{}'),
      { role: 'tool', tool_call_id: 'c0', content: '{"sky":"blue"}' },
      { role: 'user', content: 'And?' },
    ];
    expect(body({ messages })['contents']).toEqual([
      model({ text: 'Wait' }, { functionCall: { id: 'c0', name: 'weather', args: {} } }),
      user({ functionResponse: { id: 'c0', name: 'weather', response: { sky: 'blue' } } }),
      user({ text: 'And?' }),
    ]);
  });

  test('rejects malformed arguments or a result without its call, and names the field', () => {
    expect(() => body({ messages: [calls('{')] })).toThrow('messages[0].tool_calls[0].function.arguments');
    expect(() => body({ messages: [calls('[]')] })).toThrow('messages[0].tool_calls[0].function.arguments');
    expect(() => body({ messages: [{ role: 'tool', tool_call_id: 'c9', content: '' }] })).toThrow(
      'messages[0].tool_call_id',
    );
  });

  test('sends a system prompt without messages as a user message, and drops an empty response', () => {
    expect(body({ messages: [{ role: 'system', content: 'Write' }] })['contents']).toEqual([user({ text: 'Write' })]);
    const messages = [
      { role: 'user', content: '' },
      { role: 'assistant', content: '' },
    ];
    expect(body({ messages })['contents']).toEqual([user({ text: '' })]);
  });

  test('embeds audio and files', () => {
    const content = [
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' } },
    ];
    expect(body({ messages: [{ role: 'user', content }] })['contents']).toEqual([
      user(
        { inlineData: { mimeType: 'audio/wav', data: 'AAAA' } },
        { inlineData: { mimeType: 'application/pdf', data: 'BBBB' } },
      ),
    ]);
    const bare = [{ type: 'file', file: { file_data: 'BBBB' } }];
    expect(() => body({ messages: [{ role: 'user', content: bare }] })).toThrow('file');
  });
});

describe('Gemini responses', () => {
  const decode = (body: unknown) => chat.decode?.(body);
  const ended = (finishReason: string, parts: readonly unknown[] = [{ text: 'So' }]) =>
    decode({ candidates: [{ content: { parts }, finishReason }] })?.choices[0];

  test.each([
    ['STOP', 'stop'],
    ['OTHER', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
    ['PROHIBITED_CONTENT', 'content_filter'],
    ['SPII', 'content_filter'],
    ['BLOCKLIST', 'content_filter'],
  ])('maps finish reason %s to %s', (reason, finishReason) => {
    expect(ended(reason)).toEqual({ content: 'So', finishReason });
  });

  test('treats a malformed call as an upstream error', () => {
    expect(() => ended('MALFORMED_FUNCTION_CALL', [])).toThrow('MALFORMED_FUNCTION_CALL');
  });

  test('maps a blocked prompt to content_filter', () => {
    expect(decode({ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 4 } })).toEqual({
      choices: [{ content: '', finishReason: 'content_filter' }],
      usage: { promptTokens: 4, completionTokens: 0 },
    });
  });

  test('maps candidates to choices, in streams too', () => {
    const candidate = (index: number, text: string) => ({
      index,
      content: { parts: [{ text }] },
      finishReason: 'STOP',
    });
    const both = { candidates: [candidate(0, 'A'), candidate(1, 'B')] };
    const choices = [
      { content: 'A', finishReason: 'stop' },
      { content: 'B', finishReason: 'stop' },
    ];
    expect(decode(both)?.choices).toEqual(choices);
    expect(readStreamedResponse(chat, [Buffer.from(line(both))])?.choices).toEqual(choices);
  });

  test('returns a generated image, and links other files in the text', () => {
    const file = (mimeType: string, more = {}) => ({ inlineData: { mimeType, data: 'AAAA' }, ...more });
    expect(ended('STOP', [file('image/png'), file('image/png', { thought: true }), file('text/csv')])).toEqual({
      content: '[file](data:text/csv;base64,AAAA)',
      images: [{ mediaType: 'image/png', data: 'AAAA' }],
      finishReason: 'stop',
    });
  });

  test.each([
    [{ candidates: [{ content: { parts: 'odd' }, finishReason: 'STOP' }] }],
    [{ candidates: [{ content: null, finishReason: 'STOP' }], usageMetadata: 7 }],
    [{ candidates: [{ content: { parts: [null, 7, { text: 5 }, { functionCall: 'x' }] }, finishReason: 'STOP' }] }],
  ])('ignores malformed values: %j', (body) => {
    expect(decode(body)).toEqual({ choices: [{ content: '', finishReason: 'stop' }], usage: undefined });
  });

  test('fails on an error inside a stream', () => {
    const error = { error: { code: 429, message: 'Slow down', status: 'RESOURCE_EXHAUSTED' } };
    expect(() => readStreamedResponse(chat, [Buffer.from(line(replied) + line(error))])).toThrow('Slow down');
    expect(() => readStreamedResponse(chat, [Buffer.from('data: {oops\n\n')])).toThrow('not JSON');
  });

  test('treats an invalid key or an unsupported region as a channel error', () => {
    const details = [{ reason: 'API_KEY_INVALID' }];
    const wrongKey = { error: { code: 400, message: 'No.', status: 'INVALID_ARGUMENT', details } };
    expect(readGeminiProblem(400, wrongKey)).toMatchObject({ status: 401, code: 'invalid_api_key' });
    const country = { error: { code: 400, message: 'User location is not supported', status: 'FAILED_PRECONDITION' } };
    expect(readGeminiProblem(400, country)).toMatchObject({ status: 403, code: 'FAILED_PRECONDITION' });
    expect(readGeminiProblem(400, 'text')).toMatchObject({ status: 400, code: null });
  });
});
