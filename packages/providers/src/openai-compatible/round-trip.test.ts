import {
  type ChatMessage,
  type ChatRequest,
  type ChatResponse,
  DeltaMerger,
  type JsonObject,
  openaiChat,
  openaiResponses,
  readChatRequest,
  toDeltas,
  type Usage,
} from '@headgate/dialects';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frameSplitters } from '../frames.ts';
import type { ChatAdaptor, ResponseDecoder } from '../provider.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { passThroughEndpoint } from '../testing/pass-through-endpoint.ts';
import { openaiAdaptor } from './chat-adaptor.ts';
import { responsesReader } from './responses-pass.ts';
import { deepSeek, openai } from './vendors.ts';

const words = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
const base64 = fc.constantFrom('AAAA', 'QkJC', 'aGk=');
const textPart = words.map((text) => ({ type: 'text' as const, text }));
const system = words.map((text): ChatMessage => ({ role: 'system', text, parts: [{ type: 'text', text }] }));
const user = fc
  .oneof(
    textPart.map((part) => [part]),
    fc
      .tuple(
        textPart,
        fc.oneof(
          base64.map((data) => ({ type: 'image' as const, image: { mediaType: 'image/png', data } })),
          fc.constant({ type: 'image' as const, image: { url: 'https://a.test/b.png' } }),
          base64.map((data) => ({ type: 'audio' as const, data, format: 'wav' })),
          base64.map((data) => ({ type: 'file' as const, name: 'a.pdf', data: `data:application/pdf;base64,${data}` })),
        ),
      )
      .map((parts) => [...parts]),
  )
  .map((parts): ChatMessage => ({ role: 'user', parts }));

const call = fc.record({ name: fc.constantFrom('f', 'g'), arguments: fc.json() });
const turn = fc.tuple(fc.option(words, { nil: '' }), words, fc.array(call, { minLength: 1, maxLength: 3 }), words);

/** A call, its results, and the reasoning before it. */
const toolTurn = turn.map(([text, thought, calls, result]): readonly ChatMessage[] => [
  {
    role: 'assistant',
    text,
    parts: text === '' ? [] : [{ type: 'text', text }],
    thoughts: [{ text: thought }],
    toolCalls: calls.map((called, index) => ({ id: `call_${index}`, ...called })),
  },
  ...calls.map(
    (_called, index): ChatMessage => ({
      role: 'tool',
      toolCallId: `call_${index}`,
      text: result,
      parts: [{ type: 'text', text: result }],
    }),
  ),
]);

const tool = (name: string) => ({ name, description: undefined, parameters: { type: 'object', properties: {} } });

const conversation: fc.Arbitrary<ChatRequest> = fc
  .record({
    messages: fc
      .tuple(
        fc.array(system, { maxLength: 2 }),
        user,
        fc.array(toolTurn, { maxLength: 2 }),
        fc.array(user, { maxLength: 1 }),
      )
      .map(([first, question, turns, last]) => [...first, question, ...turns.flat(), ...last]),
    toolChoice: fc.constantFrom('auto' as const, 'none' as const, 'required' as const, { name: 'f' }, undefined),
    parallelToolCalls: fc.constantFrom(true, false, undefined),
    maxTokens: fc.option(fc.integer({ min: 1, max: 9999 }), { nil: undefined }),
    temperature: fc.option(fc.double({ min: 0, max: 2, noNaN: true }), { nil: undefined }),
    stop: fc.array(words, { maxLength: 2 }),
    seed: fc.option(fc.integer(), { nil: undefined }),
    reasoningEffort: fc.constantFrom('low', 'high', undefined),
  })
  .map((fields) => ({ ...readChatRequest({ messages: [] }), tools: [tool('f'), tool('g')], ...fields }));

const sent = (adaptor: ChatAdaptor, request: ChatRequest) =>
  readChatRequest(JSON.parse(adaptor.encode(request, testUpstream).body ?? '') as JsonObject);

const withoutThoughts = (request: ChatRequest): ChatRequest => ({
  ...request,
  messages: request.messages.map((message) => (message.role === 'assistant' ? { ...message, thoughts: [] } : message)),
});

// JSON changes some numbers, such as negative zero.
const asJson = (request: ChatRequest) => JSON.parse(JSON.stringify(request)) as unknown;

test("a random conversation keeps its meaning when converted to OpenAI's chat format and back", () => {
  const plain = openaiAdaptor(passThroughEndpoint(openai, 'chat'));
  const thoughtful = openaiAdaptor(passThroughEndpoint(deepSeek, 'chat'));
  fc.assert(
    fc.property(conversation, (request) => {
      expect(asJson(sent(plain, request))).toEqual(asJson(withoutThoughts(request)));
      expect(asJson(sent(thoughtful, request))).toEqual(asJson(request));
    }),
    { numRuns: 200 },
  );
});

const usage: fc.Arbitrary<Usage> = fc
  .record({
    prompt: fc.nat({ max: 999 }),
    completion: fc.nat({ max: 999 }),
    cached: fc.nat({ max: 9 }),
    thoughts: fc.nat({ max: 9 }),
  })
  .map(({ prompt, completion, cached, thoughts }) => ({
    promptTokens: prompt,
    completionTokens: completion,
    ...(cached > 0 && { cachedTokens: cached }),
    ...(thoughts > 0 && { reasoningTokens: thoughts }),
  }));

const replies: fc.Arbitrary<ChatResponse> = fc
  .record({
    content: fc.oneof(fc.constant(''), words),
    reasoning: fc.option(words, { nil: undefined }),
    refusal: fc.option(words, { nil: undefined }),
    citations: fc.array(
      words.map((title) => ({ url: 'https://a.test', title })),
      { maxLength: 2 },
    ),
    calls: fc.array(call, { maxLength: 3 }),
    finish: fc.constantFrom('stop' as const, 'length' as const, 'content_filter' as const),
    usage,
  })
  .map(({ content, reasoning, refusal, citations, calls, finish, usage: reported }) => ({
    choices: [
      {
        content,
        ...(reasoning !== undefined && { reasoning }),
        ...(refusal !== undefined && { refusal }),
        ...(citations.length > 0 && { citations }),
        ...(calls.length > 0 && { toolCalls: calls.map((called, index) => ({ id: `call_${index}`, ...called })) }),
        finishReason: calls.length > 0 && finish === 'stop' ? 'tool_calls' : finish,
      },
    ],
    usage: reported,
  }));

const body: JsonObject = { model: 'm', tools: ['f', 'g'].map((name) => ({ type: 'function', name })) };
const reply = { id: 'r1', created: 0, model: 'm', wantsUsage: true, body };

/** Splits the bytes of a stream at these positions and reads them to a response. */
function readStream({ stream }: Pick<ResponseDecoder, 'stream'>, bytes: Buffer, positions: readonly number[]) {
  const cutter = frameSplitters[stream.framing]();
  const decoder = stream.open();
  const gatherer = new DeltaMerger();
  const edges = [
    0,
    ...positions.map((position) => position % (bytes.length + 1)).toSorted((one, other) => one - other),
    bytes.length,
  ];
  const chunks = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
  for (const frame of [...chunks.flatMap((chunk) => [...cutter.push(chunk)]), ...cutter.finish()]) {
    for (const delta of decoder.push(frame)) gatherer.add(delta);
  }
  return gatherer.response(decoder.usage);
}

const chat = openaiAdaptor(passThroughEndpoint(openai, 'chat'));
/** The response as read back: OpenAI's responses include the service tier. */
const asRead = (response: ChatResponse, tier: string | undefined): ChatResponse =>
  response.usage && tier ? { ...response, usage: { ...response.usage, serviceTier: tier } } : response;

const cuts = fc.array(fc.nat(), { maxLength: 12 });

test.each([
  ['chat', openaiChat, { decode: (given: unknown) => chat.decode?.(given), stream: chat.stream }, undefined],
  ['responses', openaiResponses, responsesReader, 'default'],
] as const)(
  "a random response in OpenAI's %s is read back unchanged, whole or streamed, regardless of where the stream is split",
  (_name, dialect, reader, tier) => {
    fc.assert(
      fc.property(replies, cuts, (response, positions) => {
        expect(reader.decode(JSON.parse(dialect.writeResponse(response, reply)) as unknown)).toEqual(
          asRead(response, tier),
        );
        const writer = dialect.openStream(reply);
        const text =
          toDeltas(response)
            .map((delta) => writer.write(delta))
            .join('') + writer.end(response.usage);
        if (!reader.stream) throw new Error('there is no stream');
        expect(readStream({ stream: reader.stream }, Buffer.from(text), positions)).toEqual(asRead(response, tier));
      }),
      { numRuns: 150 },
    );
  },
);
