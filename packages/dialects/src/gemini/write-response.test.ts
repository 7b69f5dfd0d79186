import { describe, expect, test } from 'vitest';
import type { ChatChoice, ChatDelta, ChatResponse } from '../chat/chat-response.ts';
import type { Failure, ResponseEnvelope } from '../dialect.ts';
import { JsonBoundsCounter, requestBounds } from '../json-bounds.ts';
import type { JsonObject } from '../json-fields.ts';
import { gemini } from './index.ts';
import { decodeForeignReasoning } from './reasoning-signature.ts';

const reply: ResponseEnvelope = { id: 'r1', created: 1, model: 'asked-model', wantsUsage: true, body: {} };
const shown: ResponseEnvelope = { ...reply, body: { generationConfig: { thinkingConfig: { includeThoughts: true } } } };
const otherFields = { modelVersion: 'asked-model', responseId: 'r1' };

const whole = (response: ChatResponse, to = reply) => JSON.parse(gemini.writeResponse(response, to)) as JsonObject;
const candidate = (choice: Partial<ChatChoice>, to = reply) => {
  const response = { choices: [{ content: '', finishReason: 'stop' as const, ...choice }], usage: undefined };
  return (whole(response, to) as { candidates: [{ content: { parts: JsonObject[] }; finishReason: string }] })
    .candidates[0];
};
const parts = (choice: Partial<ChatChoice>, to = reply) => candidate(choice, to).content.parts;

const failure: Failure = {
  status: 429,
  message: 'Slow down',
  type: 'rate_limit_error',
  code: 'rate_limited',
  param: null,
  requestId: 'q1',
};
const error = {
  code: 429,
  message: 'Slow down (request id: q1)',
  status: 'RESOURCE_EXHAUSTED',
  details: [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'RATE_LIMITED',
      domain: 'headgate',
      metadata: { requestId: 'q1' },
    },
  ],
};

describe('whole Gemini responses', () => {
  test('writes text, finish reason and usage', () => {
    const usage = {
      promptTokens: 9,
      completionTokens: 7,
      cachedTokens: 4,
      reasoningTokens: 5,
    };
    expect(whole({ choices: [{ content: 'Hello', finishReason: 'stop' }], usage })).toEqual({
      candidates: [{ content: { parts: [{ text: 'Hello' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: 9,
        cachedContentTokenCount: 4,
        candidatesTokenCount: 2,
        thoughtsTokenCount: 5,
        totalTokenCount: 16,
      },
      ...otherFields,
    });
  });

  test.each([
    ['stop', 'STOP'],
    ['tool_calls', 'STOP'],
    ['length', 'MAX_TOKENS'],
    ['content_filter', 'SAFETY'],
  ] as const)('maps the finish reason %s to %s', (finishReason, reason) => {
    expect(candidate({ finishReason })).toEqual({
      content: { parts: [{ text: '' }], role: 'model' },
      finishReason: reason,
      index: 0,
    });
  });

  test('writes one candidate per choice', () => {
    const choices = ['A', 'B'].map((content) => ({ content, finishReason: 'stop' as const }));
    expect(whole({ choices, usage: undefined })).toMatchObject({
      candidates: [
        { index: 0, content: { parts: [{ text: 'A' }] } },
        { index: 1, content: { parts: [{ text: 'B' }] } },
      ],
    });
  });

  test("writes calls with ids, JSON arguments and Google's signature", () => {
    const toolCalls = [
      { id: 'a', name: 'now', arguments: '{"zone":"UTC"}', thoughtSignature: 'c2Vh' },
      { id: 'b', name: 'now', arguments: '' },
    ];
    expect(parts({ content: 'Wait', toolCalls, finishReason: 'tool_calls' })).toEqual([
      { text: 'Wait' },
      { functionCall: { id: 'a', name: 'now', args: { zone: 'UTC' } }, thoughtSignature: 'c2Vh' },
      { functionCall: { id: 'b', name: 'now', args: {} } },
    ]);
  });

  test.each(['{', '[]', '5'])("uses Google's finish reason for a malformed call: %s", (json) => {
    const toolCalls = [{ id: 'a', name: 'now', arguments: json }];
    expect(candidate({ toolCalls, finishReason: 'tool_calls' })).toMatchObject({
      content: { parts: [{ text: '' }] },
      finishReason: 'MALFORMED_FUNCTION_CALL',
      finishMessage: `Malformed function call: now(${json})`,
    });
    expect(candidate({ toolCalls, finishReason: 'length' }).finishReason).toBe('MAX_TOKENS');
  });

  const claude = { text: 'I wonder', maker: 'anthropic', signature: 's1' } as const;
  const now = { id: 'a', name: 'now', arguments: '{}' };

  test('includes reasoning only if requested', () => {
    const choice = { content: 'Hello', reasoning: 'I wonder' };
    expect(parts(choice, shown)).toEqual([{ text: 'I wonder', thought: true }, { text: 'Hello' }]);
    expect(parts(choice)).toEqual([{ text: 'Hello' }]);
  });

  test("attaches Google's signature to the text", () => {
    const thoughts = [{ text: 'I wonder', maker: 'google', signature: 'c2Vh' } as const];
    expect(parts({ content: 'Hello', reasoning: 'I wonder', thoughts })).toEqual([
      { text: 'Hello', thoughtSignature: 'c2Vh' },
    ]);
  });

  test("attaches another vendor's signature and reasoning text to the next part", () => {
    const redacted = { text: '', maker: 'anthropic', sealed: 'x' } as const;
    const [call] = parts({ reasoning: 'I wonder', thoughts: [claude, redacted], toolCalls: [now] });
    expect(call).toHaveProperty('functionCall');
    expect(decodeForeignReasoning(String(call?.['thoughtSignature']), new JsonBoundsCounter(requestBounds))).toEqual([
      claude,
      redacted,
    ]);
  });

  test('attaches a signature to an empty part if there is no other part', () => {
    const thoughts = [{ text: '', maker: 'google', signature: 'b25l' } as const];
    expect(parts({ thoughts, toolCalls: [{ ...now, thoughtSignature: 'dHdv' }] })).toEqual([
      { text: '', thoughtSignature: 'b25l' },
      { functionCall: { id: 'a', name: 'now', args: {} }, thoughtSignature: 'dHdv' },
    ]);
    expect(parts({ thoughts })).toEqual([{ text: '', thoughtSignature: 'b25l' }]);
  });

  test('writes images, audio and refusals as parts, and citations as metadata', () => {
    const reported = candidate({
      refusal: 'No',
      images: [{ mediaType: 'image/png', data: 'AAAA' }],
      audio: 'BBBB',
      citations: [{ url: 'https://a.example', title: 'A', text: 'Hello' }, { url: 'https://b.example' }],
    });
    expect(reported.content.parts).toEqual([
      { text: 'No' },
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
      { inlineData: { mimeType: 'audio/L16;codec=pcm;rate=24000', data: 'BBBB' } },
    ]);
    expect(reported).toMatchObject({
      groundingMetadata: {
        groundingChunks: [{ web: { uri: 'https://a.example', title: 'A' } }, { web: { uri: 'https://b.example' } }],
        groundingSupports: [{ segment: { text: 'Hello' }, groundingChunkIndices: [0] }],
      },
    });
  });

  test('omits implausible usage', () => {
    const usage = { promptTokens: -1, completionTokens: 7 };
    expect(whole({ choices: [{ content: 'Hello', finishReason: 'stop' }], usage })).not.toHaveProperty('usageMetadata');
  });
});

describe('Gemini streams', () => {
  const deltas: readonly ChatDelta[] = [
    { reasoning: 'I wonder' },
    { thought: { text: '', maker: 'google', signature: 'c2Vh' } },
    { content: 'Wait' },
    { toolCall: { index: 0, id: 'a', name: 'now', arguments: '{"zo' } },
    { toolCall: { index: 0, arguments: 'ne":1}' } },
    { toolCall: { index: 1, id: 'b', name: 'now', arguments: '' } },
    { finishReason: 'tool_calls' },
  ];
  const piece = (...given: readonly JsonObject[]) => ({
    candidates: [{ content: { parts: given, role: 'model' }, index: 0 }],
    ...otherFields,
  });
  const pieces = [
    piece({ text: 'I wonder', thought: true }),
    piece({ text: 'Wait', thoughtSignature: 'c2Vh' }),
    piece({ functionCall: { id: 'a', name: 'now', args: { zone: 1 } } }),
    {
      candidates: [
        {
          content: { parts: [{ functionCall: { id: 'b', name: 'now', args: {} } }], role: 'model' },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 },
      ...otherFields,
    },
  ];
  const usage = { promptTokens: 1, completionTokens: 2 };
  const written = (to: ResponseEnvelope) => {
    const writer = gemini.openStream(to);
    return {
      type: writer.contentType,
      text: [...deltas.map((delta) => writer.write(delta)), writer.end(usage)].join(''),
    };
  };

  test('writes events without an end marker, with complete calls, and the finish reason in the usage event', () => {
    const { type, text } = written(shown);
    expect(type).toBe('text/event-stream');
    expect(text).toBe(pieces.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
  });

  test('writes one JSON array if server-sent events were not requested', () => {
    const { type, text } = written({ ...shown, framing: 'json-list' });
    expect(type).toBe('application/json');
    expect(JSON.parse(text)).toEqual(pieces);
  });

  test.each(['sse', 'json-list'] as const)('ends a failed stream with the error, as %s', (framing) => {
    const writer = gemini.openStream({ ...reply, framing });
    const text = writer.write({ content: 'Hel' }) + (writer.fail?.(failure) ?? '');
    const events = framing === 'sse' ? text.split('\n\n').flatMap((event) => (event ? [event.slice(6)] : [])) : [];
    const reported = framing === 'sse' ? events.map((event) => JSON.parse(event) as unknown) : JSON.parse(text);
    expect(reported).toEqual([piece({ text: 'Hel' }), { error }]);
  });

  test('writes an array with only the error when the stream fails before the first chunk', () => {
    const text = gemini.openStream({ ...reply, framing: 'json-list' }).fail?.(failure) ?? '';
    expect(JSON.parse(text)).toEqual([{ error }]);
  });

  test('writes a complete stream for a response without content', () => {
    const writer = gemini.openStream(reply);
    writer.write({ finishReason: 'stop' });
    expect(writer.end(undefined)).toContain('"finishReason":"STOP"');
  });
});

describe('Gemini errors', () => {
  test.each([
    [400, 'INVALID_ARGUMENT'],
    [401, 'UNAUTHENTICATED'],
    [403, 'PERMISSION_DENIED'],
    [404, 'NOT_FOUND'],
    [413, 'INVALID_ARGUMENT'],
    [429, 'RESOURCE_EXHAUSTED'],
    [500, 'INTERNAL'],
    [502, 'UNAVAILABLE'],
    [503, 'UNAVAILABLE'],
    [504, 'DEADLINE_EXCEEDED'],
    [507, 'INTERNAL'],
  ])('maps status %i to %s', (status, name) => {
    expect(gemini.writeError({ ...failure, status })).toMatchObject({
      status,
      body: { error: { code: status, status: name } },
    });
  });

  test('includes the invalid field in the error', () => {
    const { body } = gemini.writeError({ ...failure, status: 400, code: null, type: 'invalid', param: 'contents' });
    expect(body).toMatchObject({
      error: {
        details: [{ reason: 'INVALID' }, { fieldViolations: [{ field: 'contents', description: 'Slow down' }] }],
      },
    });
  });

  test('writes an error after the first chunk as an event', () => {
    expect(gemini.writeErrorEvent(failure)).toBe(`data: ${JSON.stringify({ error })}\n\n`);
  });
});
