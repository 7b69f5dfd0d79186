import { type ChatRequest, gemini as dialect, type JsonObject, readChatRequest } from '@headgate/dialects';
import { describe, expect, test } from 'vitest';
import { fitRequest } from '../fit-request.ts';
import { chat } from '../gemini/chat.ts';
import { gemini } from '../gemini/index.ts';
import type { ChatAdaptor, PassThrough } from '../provider.ts';
import { onePixelImage, testUpstream } from '../testing/chat-cases.ts';
import { vertex } from './index.ts';

const hello = [{ role: 'user', content: 'Hello' }];
const plain = readChatRequest({ messages: hello });
const body = (request: Partial<ChatRequest>, model = 'gemini-2.5-flash') =>
  JSON.parse(chat.encode({ ...plain, ...request }, { ...testUpstream, model }).body ?? '') as Record<
    string,
    JsonObject
  >;

describe('Google-specific fields of Gemini clients', () => {
  const read = (fields: JsonObject) =>
    dialect.readRequest({ contents: [{ parts: [{ text: 'Hello' }] }], ...fields }, { model: 'gemini-2.5-flash' });

  test("replaces the default safety settings with the client's", () => {
    const safetySettings = [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_LOW_AND_ABOVE' }];
    expect(body(read({ safetySettings }))['safetySettings']).toEqual(safetySettings);
    expect(body(plain)['safetySettings']).toHaveLength(4);
  });

  test('sends media and modality settings', () => {
    const generationConfig = { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: '1:1' } };
    expect(body(read({ generationConfig }))['generationConfig']).toEqual(generationConfig);
  });

  test("sends Google's own tools that only look up data, and rejects other provider tools by name", () => {
    expect(body(read({ tools: [{ googleSearch: {} }, { url_context: {} }] }))['tools']).toEqual([
      { googleSearch: {} },
      { urlContext: {} },
    ]);
    expect(() => body(read({ tools: [{ codeExecution: {} }] }))).toThrow('codeExecution');
  });

  test.each([
    ['gemini-2.5-flash', { reasoningBudget: 2048 }, { thinkingBudget: 2048, includeThoughts: true }],
    ['gemini-2.5-flash', { reasoningBudget: 90_000 }, { thinkingBudget: 24_576, includeThoughts: true }],
    ['gemini-2.5-flash', { reasoningBudget: 1 }, { thinkingBudget: 512, includeThoughts: true }],
    [
      'gemini-2.5-pro',
      { reasoningBudget: 2048, reasoningEffort: 'high' },
      { thinkingBudget: 2048, includeThoughts: true },
    ],
    ['gemini-3-flash-preview', { reasoningBudget: 512 }, { thinkingLevel: 'low', includeThoughts: true }],
    ['gemini-3-flash-preview', { reasoningBudget: 8000 }, { thinkingLevel: 'medium', includeThoughts: true }],
    ['gemini-3-flash-preview', { reasoningBudget: 9000 }, { thinkingLevel: 'high', includeThoughts: true }],
    ['gemini-2.5-flash', { extras: { includesThoughts: true } }, { includeThoughts: true }],
  ])('maps reasoning settings for %s: %j', (model, request, thinkingConfig) => {
    expect(body(request, model)['generationConfig']).toEqual({ thinkingConfig });
  });

  test('requests no reasoning from a model without it', () => {
    const request = { reasoningEffort: 'high', extras: { isReasoningOptional: true } };
    expect(body(request, 'gemini-2.0-flash')).not.toHaveProperty('generationConfig');
    expect(body({ extras: { includesThoughts: true } }, 'gemini-2.0-flash')).not.toHaveProperty('generationConfig');
  });
});

describe('tool results with media for Gemini', () => {
  const image = { type: 'image', image: { mediaType: 'image/png', data: onePixelImage } } as const;
  const shown = (isError: boolean): ChatRequest => ({
    ...plain,
    messages: [
      {
        role: 'assistant',
        text: '',
        parts: [],
        thoughts: [],
        toolCalls: [{ id: 'a', name: 'look', arguments: '{}', thoughtSignature: 'c2Vh' }],
      },
      {
        role: 'tool',
        toolCallId: 'a',
        text: 'A dot',
        parts: [{ type: 'text', text: 'A dot' }, image],
        ...(isError && { isError }),
      },
    ],
  });
  const contents = (model: string, isError = false) => {
    const upstream = { ...testUpstream, baseUrl: 'https://google.test', model, key: '{"project_id":"p"}' };
    const adaptor = (typeof gemini.chat === 'function' ? gemini.chat(upstream) : gemini.chat) as ChatAdaptor;
    const { request } = fitRequest(shown(isError), adaptor);
    return (JSON.parse(adaptor.encode(request, upstream).body ?? '') as { contents: JsonObject[] }).contents.slice(1);
  };
  const inlineData = { mimeType: 'image/png', data: onePixelImage };

  test('puts media into the result if the model supports it, otherwise after the result', () => {
    const functionResponse = { id: 'a', name: 'look', response: { result: 'A dot' } };
    expect(contents('gemini-3-pro-preview')).toEqual([
      { role: 'user', parts: [{ functionResponse: { ...functionResponse, parts: [{ inlineData }] } }] },
    ]);
    expect(contents('gemini-2.5-flash')).toEqual([
      { role: 'user', parts: [{ functionResponse }] },
      { role: 'user', parts: [{ inlineData }] },
    ]);
  });

  test('sends an error of the tool', () => {
    expect(contents('gemini-2.5-flash', true)[0]).toMatchObject({
      parts: [{ functionResponse: { response: { error: 'A dot' } } }],
    });
  });
});

describe('Gemini citations', () => {
  const candidate = {
    content: { parts: [{ text: 'Rain.' }] },
    finishReason: 'STOP',
    groundingMetadata: {
      groundingChunks: [
        { web: { uri: 'https://a.example', title: 'A' } },
        { web: {} },
        { maps: { uri: 'https://b.example' } },
      ],
      groundingSupports: [{ segment: { text: 'Rain.' }, groundingChunkIndices: [0] }],
    },
    citationMetadata: { citationSources: [{ startIndex: 0, uri: 'https://c.example' }] },
  };

  test('returns a repeated citation once', () => {
    expect(chat.decode?.({ candidates: [candidate, candidate] }).choices[0]?.citations).toEqual([
      { url: 'https://a.example', title: 'A', text: 'Rain.' },
      { url: 'https://b.example' },
      { url: 'https://c.example' },
    ]);
  });
});

describe("Gemini's native format", () => {
  const endpoint = (provider: typeof gemini, upstream: object): PassThrough | undefined => {
    const { generateContent } = provider;
    return typeof generateContent === 'function' ? generateContent({ ...testUpstream, ...upstream }) : generateContent;
  };
  const sent = (provider: typeof gemini, upstream: object) =>
    endpoint(provider, upstream)?.send({ ...testUpstream, ...upstream });

  test("Gemini's format passes through at AI Studio, except with the OpenAI-compatible URL", () => {
    expect(sent(gemini, { model: 'gemini-2.5-flash' })).toEqual({
      url: 'https://upstream.test/v1beta/models/gemini-2.5-flash:generateContent',
      headers: { 'content-type': 'application/json', 'x-goog-api-key': 'test-key' },
    });
    expect(sent(gemini, { isStream: true })?.url).toContain(':streamGenerateContent?alt=sse');
    expect(endpoint(gemini, { baseUrl: 'https://upstream.test/v1beta/openai' })).toBeUndefined();
  });

  test("Gemini's format passes through at Vertex for Google's own models", () => {
    const upstream = { baseUrl: '', key: 'global|an-api-key', model: 'gemini-2.5-flash', isStream: true };
    expect(sent(vertex, upstream)?.url).toContain(
      '/publishers/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    );
    for (const model of ['claude-sonnet-4', 'meta/llama-4'])
      expect(endpoint(vertex, { ...upstream, model })).toBeUndefined();
  });

  test('removes the model from the body, because the URL contains it', () => {
    const pass = endpoint(gemini, {});
    expect(pass?.patch?.({ model: 'models/asked' }, testUpstream)).toStrictEqual({ model: undefined });
  });

  test('reads a response that is passed through', () => {
    const { watch, readProblem } = endpoint(gemini, {}) ?? {};
    const response = { candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }] };
    expect(watch?.decode(response).choices[0]?.content).toBe('Hi');
    const reader = watch?.stream.open();
    expect(reader?.push({ event: '', data: JSON.stringify(response) })).toEqual([
      { content: 'Hi' },
      { finishReason: 'stop' },
    ]);
    expect(readProblem?.(400, { error: { message: 'API key not valid.' } })?.status).toBe(401);
  });
});
