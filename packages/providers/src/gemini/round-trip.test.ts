import {
  type ChatChoice,
  type ChatDelta,
  type ChatMessage,
  type ChatRequest,
  type ChatResponse,
  DeltaMerger,
  gemini as dialect,
  type JsonObject,
  type ReasoningBlock,
  type ResponseEnvelope,
  readChatRequest,
  toDeltas,
} from '@headgate/dialects';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { frameSplitters } from '../frames.ts';
import { encodeGenerateRequest } from './generate-request.ts';
import { decodeGenerateResponse, geminiStream } from './generate-response.ts';

const words = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
const base64 = fc.uint8Array({ minLength: 1, maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString('base64'));
const names = fc.stringMatching(/^[a-z_]{1,8}$/);
const fields = fc.dictionary(names, fc.oneof(words, fc.integer(), fc.boolean()), { maxKeys: 3, noNullPrototype: true });
const json = fields.map((value) => JSON.stringify(value));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const signed = maybe(base64).map((signature) => (signature === undefined ? {} : { thoughtSignature: signature }));
const calls = fc
  .array(fc.tuple(names, json, signed), { maxLength: 3 })
  .map((list) => list.map(([name, given, seal], index) => ({ id: `id_${index}`, name, arguments: given, ...seal })));

const part = fc.oneof(
  words.map((text) => ({ type: 'text', text }) as const),
  base64.map((data) => ({ type: 'image', image: { mediaType: 'image/png', data } }) as const),
  base64.map((data) => ({ type: 'audio', data, format: 'wav' }) as const),
  base64.map((data) => ({ type: 'file', name: '', data: `data:application/pdf;base64,${data}` }) as const),
);
const user = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => ({ role: 'user', parts }) as const);

/** A text that is a JSON object is sent to Google as an object, and is read back as serialized here. */
const resultText = fc.oneof(
  words.filter((text) => !text.trimStart().startsWith('{')),
  fc.tuple(words, words).map(([a, b]) => JSON.stringify({ a, b })),
);
const result = fc.tuple(resultText, fc.boolean());

const googleThought = base64.map((signature): ReasoningBlock => ({ text: '', maker: 'google', signature }));

/** A prompt, the response to it and the results of its calls. */
const turn = fc
  .record({
    requested: user,
    text: words,
    thought: maybe(googleThought),
    toolCalls: calls,
    results: fc.array(result, { minLength: 3, maxLength: 3 }),
  })
  .map(({ requested, text, thought, toolCalls, results }): readonly ChatMessage[] => [
    requested,
    { role: 'assistant', text, parts: [{ type: 'text', text }], thoughts: thought ? [thought] : [], toolCalls },
    ...toolCalls.map(({ id }, index): ChatMessage => {
      const [outputText = '', isError = false] = results[index] ?? [];
      return {
        role: 'tool',
        toolCallId: id,
        text: outputText,
        parts: [{ type: 'text', text: outputText }],
        ...(isError && { isError }),
      };
    }),
  ]);

const number = (max: number) => maybe(fc.integer({ min: 0, max: max * 100 }).map((value) => value / 100));
const schema: JsonObject = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const tools = fc
  .uniqueArray(names, { minLength: 1, maxLength: 3 })
  .map((list) => list.map((name) => ({ name, description: `About ${name}`, parameters: schema })));

const request = fc
  .record({
    system: maybe(words),
    turns: fc.array(turn, { maxLength: 3 }),
    last: user,
    tools,
    choice: fc.constantFrom('auto', 'none', 'required', 'named', undefined),
    maxTokens: maybe(fc.integer({ min: 1, max: 9999 })),
    temperature: number(2),
    topP: number(1),
    topK: maybe(fc.integer({ min: 1, max: 99 })),
    frequencyPenalty: number(2),
    presencePenalty: number(2),
    seed: maybe(fc.integer({ min: 1, max: 99 })),
    stop: fc.array(words, { maxLength: 2 }),
    responseFormat: fc.constantFrom(
      undefined,
      { type: 'json_object' } as const,
      {
        type: 'json_schema',
        name: 'answer',
        schema,
      } as const,
    ),
    choices: fc.integer({ min: 1, max: 4 }),
    reasoningEffort: fc.constantFrom('minimal', 'low', 'medium', 'high'),
  })
  .map(({ system, turns, last, choice, ...given }): ChatRequest => {
    const [first] = given.tools;
    const before =
      system === undefined ? [] : [{ role: 'system', text: system, parts: [{ type: 'text', text: system }] } as const];
    return {
      ...readChatRequest({ messages: [] }),
      ...given,
      messages: [...before, ...turns.flat(), last],
      toolChoice: choice === 'named' ? { name: first?.name ?? '' } : choice,
    };
  });

/** Placeholder for a missing signature, for models that require one. */
const isStandIn = (signature: string | undefined) => signature === 'skip_thought_signature_validator';

const withoutStandIns = ({ extras: _, ...read }: ChatRequest) => ({
  ...read,
  messages: read.messages.map((message) =>
    message.role !== 'assistant'
      ? message
      : {
          ...message,
          toolCalls: message.toolCalls.map(({ thoughtSignature, ...call }) =>
            thoughtSignature === undefined || isStandIn(thoughtSignature) ? call : { ...call, thoughtSignature },
          ),
        },
  ),
});

describe('Gemini conversations', () => {
  test.each(['gemini-3-flash-preview'])('a conversation keeps its meaning when converted to %s and back', (model) => {
    fc.assert(
      fc.property(request, (requested) => {
        const sent = JSON.parse(JSON.stringify(encodeGenerateRequest(requested, model))) as JsonObject;
        expect(withoutStandIns(dialect.readRequest(sent, { model }))).toEqual(withoutStandIns(requested));
      }),
      { numRuns: 150 },
    );
  });
});

const citation = fc
  .record({ url: fc.webUrl(), title: maybe(words), text: maybe(words) })
  .map(({ url, title, text }) => ({ url, ...(title !== undefined && { title }), ...(text !== undefined && { text }) }));

const choice = fc
  .record({
    content: fc.oneof(fc.constant(''), words),
    thought: maybe(fc.tuple(words, maybe(base64))),
    toolCalls: calls,
    images: fc.array(base64, { maxLength: 2 }),
    citations: fc.uniqueArray(citation, { maxLength: 2, selector: (one) => JSON.stringify(one) }),
    ended: fc.constantFrom('stop', 'length', 'content_filter'),
  })
  .map(({ content, thought, toolCalls, images, citations, ended }): ChatChoice => {
    const [reasoning, signature] = thought ?? [];
    return {
      content,
      ...(reasoning !== undefined && { reasoning }),
      ...(reasoning !== undefined &&
        signature !== undefined && { thoughts: [{ text: reasoning, maker: 'google', signature }] }),
      ...(citations.length > 0 && { citations }),
      ...(images.length > 0 && { images: images.map((data) => ({ mediaType: 'image/png', data })) }),
      ...(toolCalls.length > 0 && { toolCalls }),
      finishReason: toolCalls.length > 0 && ended === 'stop' ? 'tool_calls' : ended,
    };
  });

const usage = fc
  .record({ prompt: fc.nat(999), completion: fc.nat(999), cached: fc.nat(9), thoughts: fc.nat(9) })
  .map(({ prompt, completion, cached, thoughts }) => ({
    promptTokens: prompt,
    completionTokens: completion + thoughts,
    ...(cached > 0 && { cachedTokens: cached }),
    ...(thoughts > 0 && { reasoningTokens: thoughts }),
  }));

const response: fc.Arbitrary<ChatResponse> = fc.record({
  choices: fc.array(choice, { minLength: 1, maxLength: 2 }),
  usage,
});

const reply: ResponseEnvelope = {
  id: 'r1',
  created: 1,
  model: 'asked-model',
  wantsUsage: true,
  body: { generationConfig: { thinkingConfig: { includeThoughts: true } } },
};

describe('Gemini responses', () => {
  test('a response is unchanged after a round trip', () => {
    fc.assert(
      fc.property(response, (reported) => {
        expect(decodeGenerateResponse(JSON.parse(dialect.writeResponse(reported, reply)))).toEqual(reported);
      }),
      { numRuns: 150 },
    );
  });

  test('a stream contains the same response, regardless of where its calls and bytes are split', () => {
    const cuts = fc.array(fc.nat(400), { maxLength: 12 });
    fc.assert(
      fc.property(response, fc.nat(5), cuts, (reported, callCut, positions) => {
        const writer = dialect.openStream(reply);
        const pieces = toDeltas(reported).flatMap((delta) => cutCall(delta, callCut));
        const text = pieces.map((delta) => writer.write(delta)).join('') + writer.end(reported.usage);
        expect(respondIn(cutAt(Buffer.from(text), positions))).toEqual(reported);
      }),
      { numRuns: 150 },
    );
  });

  test('a JSON list contains the same response as a stream', () => {
    fc.assert(
      fc.property(response, (reported) => {
        const writer = dialect.openStream({ ...reply, framing: 'json-list' });
        const text = toDeltas(reported)
          .map((delta) => writer.write(delta))
          .join('');
        const list = JSON.parse(text + writer.end(reported.usage)) as readonly unknown[];
        const events = list.map((item) => `data: ${JSON.stringify(item)}\n\n`).join('');
        expect(respondIn([Buffer.from(events)])).toEqual(reported);
      }),
      { numRuns: 150 },
    );
  });
});

function cutCall(delta: ChatDelta, at: number): readonly ChatDelta[] {
  if (!delta.toolCall) return [delta];
  const { arguments: given, ...begin } = delta.toolCall;
  const { index } = begin;
  const choiceField = delta.choice === undefined ? {} : { choice: delta.choice };
  return [
    { ...choiceField, toolCall: { ...begin, arguments: given.slice(0, at) } },
    { ...choiceField, toolCall: { index, arguments: given.slice(at) } },
  ];
}

function cutAt(bytes: Buffer, positions: readonly number[]): readonly Buffer[] {
  const edges = [0, ...positions.filter((position) => position < bytes.length).sort((a, b) => a - b), bytes.length];
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
}

function respondIn(chunks: readonly Buffer[]): ChatResponse | undefined {
  const cutter = frameSplitters[geminiStream.framing]();
  const reader = geminiStream.open();
  const gatherer = new DeltaMerger();
  const frames = [...chunks.flatMap((chunk) => [...cutter.push(chunk)]), ...cutter.finish()];
  for (const delta of frames.flatMap((frame) => [...reader.push(frame)])) gatherer.add(delta);
  return gatherer.response(reader.usage);
}

describe('reasoning of another vendor', () => {
  const thought = (maker: 'anthropic' | 'openai') =>
    fc.oneof(
      fc.record({ text: words, signature: base64 }).map((given): ReasoningBlock => ({ maker, ...given })),
      fc.record({ sealed: base64, id: names }).map((given): ReasoningBlock => ({ text: '', maker, ...given })),
    );
  const thoughts = fc
    .constantFrom('anthropic' as const, 'openai' as const)
    .chain((maker) => fc.array(thought(maker), { minLength: 1, maxLength: 3 }));

  test('the client sends reasoning back unchanged, visible or not', () => {
    fc.assert(
      fc.property(thoughts, words, calls, fc.boolean(), (sealed, content, toolCalls, isShown) => {
        const unsigned = toolCalls.map(({ id, name, arguments: given }) => ({ id, name, arguments: given }));
        const reported = {
          content,
          thoughts: sealed,
          reasoning: sealed.map(({ text }) => text).join(''),
          toolCalls: unsigned,
        };
        const written = dialect.writeResponse(
          { choices: [{ ...reported, finishReason: 'stop' }], usage: undefined },
          isShown ? reply : { ...reply, body: {} },
        );
        const { candidates } = JSON.parse(written) as { candidates: [{ content: JsonObject }] };
        const { messages } = dialect.readRequest({ contents: [candidates[0].content] }, { model: 'any' });
        expect(messages).toMatchObject([{ role: 'assistant', text: content, thoughts: sealed, toolCalls: unsigned }]);
      }),
      { numRuns: 150 },
    );
  });
});
