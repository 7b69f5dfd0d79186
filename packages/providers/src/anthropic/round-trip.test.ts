import {
  anthropicMessages,
  type ChatDelta,
  type ChatMessage,
  type ChatResponse,
  type JsonObject,
  type ResponseEnvelope,
  toDeltas,
} from '@headgate/dialects';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readStreamedResponse, splitAt } from '../testing/chat-suite.ts';
import {
  anyReasoning,
  randomConversation,
  randomRequest,
  randomResponse,
  signedReasoning,
} from '../testing/random-chat.ts';
import { chat } from './chat.ts';
import { messagesBody } from './messages-request.ts';

const { readRequest, writeResponse, openStream } = anthropicMessages;
const reply: ResponseEnvelope = { id: 'r1', created: 1, model: 'm', wantsUsage: true, body: {} };

test('a conversation written for Claude keeps its meaning when it is read back', () => {
  fc.assert(
    fc.property(randomConversation(anyReasoning), (messages) => {
      const body = messagesBody({ ...randomRequest, messages }, 'claude-opus-5');
      expect(readRequest(JSON.parse(JSON.stringify(body)) as JsonObject, {}).messages).toEqual(asClaudeKeeps(messages));
    }),
    { numRuns: 300 },
  );
});

test('request settings written for Claude are read back unchanged', () => {
  const parameters = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };
  const tool = { name: 'now', description: 'The time', parameters, cacheControl: { type: 'ephemeral' } };
  const schema = { type: 'object', additionalProperties: false };
  fc.assert(
    fc.property(
      fc.record({
        toolChoice: fc.constantFrom('auto' as const, 'none' as const, 'required' as const, { name: 'now' }),
        temperature: fc.option(fc.constantFrom(0, 0.5, 1), { nil: undefined }),
        topP: fc.option(fc.constantFrom(0.1, 0.9), { nil: undefined }),
        topK: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
        stop: fc.array(fc.string({ minLength: 1 }), { maxLength: 3 }),
        user: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
      }),
      (wishes) => {
        const responseFormat = { type: 'json_schema', name: 'answer', schema } as const;
        const request = { ...randomRequest, ...wishes, responseFormat, messages: [], tools: [tool] };
        const body = messagesBody(request, 'claude-opus-5');
        expect(readRequest(JSON.parse(JSON.stringify(body)) as JsonObject, {})).toEqual(request);
      },
    ),
  );
});

test('a response written for a client is read back unchanged by the provider', () => {
  fc.assert(
    fc.property(randomResponse(signedReasoning, false), (given) => {
      expect(chat.decode?.(JSON.parse(writeResponse(given, reply)))).toEqual(given);
    }),
    { numRuns: 300 },
  );
});

test('a stream written for a client is read the same regardless of where it is split', () => {
  const cuts = fc.array(fc.nat(5000), { maxLength: 10 });
  fc.assert(
    fc.property(randomResponse(signedReasoning, false), cuts, (given, positions) => {
      const bytes = streamOf(given, toDeltas(given));
      const inside = positions.filter((position) => position < bytes.length);
      expect(readStreamedResponse(chat, splitAt(bytes, inside))).toEqual(given);
    }),
    { numRuns: 300 },
  );
});

test('interleaved tool calls are read the same in any order', () => {
  const mixed = randomResponse(signedReasoning, false).chain((given) =>
    fc.tuple(fc.constant(given), mixedDeltas(given)),
  );
  fc.assert(
    fc.property(mixed, ([given, deltas]) => {
      const read = readStreamedResponse(chat, [streamOf(given, deltas)]);
      const calls = (reported: ChatResponse | undefined) =>
        (reported?.choices[0]?.toolCalls ?? []).toSorted((one, other) =>
          JSON.stringify(one) < JSON.stringify(other) ? -1 : 1,
        );
      expect(calls(read)).toEqual(calls(given));
      expect(read?.choices[0]?.content).toBe(given.choices[0]?.content);
    }),
    { numRuns: 300 },
  );
});

test('a response that a client sends back, whole or streamed, contains every signature', () => {
  fc.assert(
    fc.property(randomResponse(anyReasoning, true), (given) => {
      const [choice] = given.choices;
      const wanted = {
        text: choice?.content,
        thoughts: choice?.thoughts ?? (choice?.reasoning === undefined ? [] : [{ text: choice.reasoning }]),
        toolCalls: choice?.toolCalls ?? [],
      };
      const { content } = JSON.parse(writeResponse(given, reply)) as { readonly content: unknown };
      expect(givenBack(content)).toMatchObject(wanted);
      expect(givenBack(accumulated(streamOf(given, toDeltas(given))))).toMatchObject(wanted);
    }),
    { numRuns: 300 },
  );
});

const streamOf = (given: ChatResponse, deltas: readonly ChatDelta[]): Buffer => {
  const writer = openStream(reply);
  return Buffer.from(deltas.map((delta) => writer.write(delta)).join('') + writer.end(given.usage));
};

const givenBack = (content: unknown): ChatMessage | undefined =>
  readRequest({ max_tokens: 9, messages: [{ role: 'assistant', content }] }, {}).messages[0];

/** Messages as Claude accepts them: without other vendors' reasoning, and with text-only results joined into one string. */
const asClaudeKeeps = (messages: readonly ChatMessage[]): readonly ChatMessage[] => messages.map(asOneKept);

function asOneKept(message: ChatMessage): ChatMessage {
  if (message.role === 'assistant') {
    return { ...message, thoughts: message.thoughts.filter(({ maker }) => maker === 'anthropic') };
  }
  const isOneText = message.role === 'tool' && message.parts.every(({ type }) => type === 'text');
  return isOneText ? { ...message, parts: [{ type: 'text', text: message.text }] } : message;
}

/** Deltas of a response with its calls interleaved. */
function mixedDeltas(given: ChatResponse): fc.Arbitrary<readonly ChatDelta[]> {
  const deltas = toDeltas(given);
  const calls = deltas.flatMap(({ toolCall }) => (toolCall ? [toolCall] : []));
  const before = deltas.filter(({ toolCall, finishReason }) => !toolCall && finishReason === undefined);
  const halves = calls.map(({ arguments: json, ...call }): readonly [ChatDelta, ChatDelta] => [
    { toolCall: { ...call, arguments: json.slice(0, 1) } },
    { toolCall: { index: call.index, arguments: json.slice(1) } },
  ]);
  const order = fc.shuffledSubarray(
    calls.map(({ index }) => index),
    { minLength: calls.length },
  );
  return fc
    .tuple(order, order)
    .map(([first, second]) => [
      ...before,
      ...first.flatMap((index) => halves[index]?.[0] ?? []),
      ...second.flatMap((index) => halves[index]?.[1] ?? []),
      ...deltas.slice(-1),
    ]);
}

/** Content that a client accumulates from the events, as Anthropic documents it. */
function accumulated(bytes: Buffer): readonly JsonObject[] {
  const lines = bytes.toString('utf8').split('\n');
  const events = lines
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)) as StreamEvent);
  expectOneAfterTheOther(events.filter(({ type }) => type.startsWith('content_block')));
  return events
    .filter(({ type }) => type === 'content_block_start')
    .map(({ index, content_block }) => {
      const pieces = events.filter((event) => event.type === 'content_block_delta' && event.index === index);
      return withPieces(
        content_block,
        pieces.map(({ delta }) => delta),
      );
    });
}

/** Checks that each block starts, receives its deltas and ends before the next one starts. */
function expectOneAfterTheOther(events: readonly StreamEvent[]): void {
  const marks = { content_block_start: '(', content_block_delta: '.', content_block_stop: ')' };
  const reported = events.map(({ type, index }) => `${marks[type as keyof typeof marks]}${index} `).join('');
  expect(reported).toMatch(/^(?:\((\d+) (?:\.\1 )*\)\1 )*$/);
}

function withPieces(block: JsonObject, deltas: readonly Delta[]): JsonObject {
  const sum = (name: string) => deltas.map((delta) => delta[name] ?? '').join('');
  if (block['type'] === 'tool_use') return { ...block, input: JSON.parse(sum('partial_json') || '{}') as unknown };
  if (block['type'] === 'text') return { ...block, text: sum('text') };
  if (block['type'] === 'redacted_thinking') return block;
  return { ...block, thinking: sum('thinking'), signature: sum('signature') };
}

type Delta = Readonly<Record<string, string>>;

interface StreamEvent {
  readonly type: string;
  readonly index: number;
  readonly content_block: JsonObject;
  readonly delta: Delta;
}
