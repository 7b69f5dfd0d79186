import {
  type ChatMessage,
  type ChatRequest,
  type ChatResponse,
  DeltaMerger,
  dialects,
  type JsonObject,
  ollamaChat,
  toDeltas,
} from '@headgate/dialects';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frameSplitters } from '../frames.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { chat } from './chat.ts';

const words = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
const names = fc.stringMatching(/^[a-z_]{1,8}$/);
const image = fc.constantFrom('iVBORAAA', 'iVBORQkJ');
const given = fc
  .dictionary(names, fc.oneof(words, fc.integer(), fc.boolean()), { maxKeys: 3, noNullPrototype: true })
  .map((value) => JSON.stringify(value));
const call = fc.record({ name: names, arguments: given });

const system = words.map((text): ChatMessage => ({ role: 'system', text, parts: [{ type: 'text', text }] }));
const user = fc.tuple(words, fc.array(image, { maxLength: 2 })).map(
  ([text, images]): ChatMessage => ({
    role: 'user',
    parts: [
      { type: 'text', text },
      ...images.map((data) => ({ type: 'image', image: { mediaType: 'image/png', data } }) as const),
    ],
  }),
);

/** Reasoning, calls and their results; ids are assigned by position. */
const step = fc
  .record({
    text: fc.option(words, { nil: '' }),
    thought: words,
    calls: fc.array(call, { maxLength: 3 }),
    result: words,
  })
  .map(({ text, thought, calls, result }): readonly ChatMessage[] => [
    {
      role: 'assistant',
      text,
      parts: text === '' ? [] : [{ type: 'text', text }],
      thoughts: [{ text: thought }],
      toolCalls: calls.map((called) => ({ id: '', ...called })),
    },
    ...calls.map(
      (): ChatMessage => ({ role: 'tool', toolCallId: '', text: result, parts: [{ type: 'text', text: result }] }),
    ),
  ]);

/** Assigns ids by position: Ollama's format has none, and results are in the order of their calls. */
function numbered(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  let waiting: string[] = [];
  return messages.map((message, position): ChatMessage => {
    if (message.role === 'assistant') {
      const toolCalls = message.toolCalls.map((called, index) => ({ ...called, id: `call_${position}_${index}` }));
      waiting = toolCalls.map(({ id }) => id);
      return { ...message, toolCalls };
    }
    return message.role === 'tool' ? { ...message, toolCallId: waiting.shift() ?? '' } : message;
  });
}

const tools = ['f', 'g'].map((name) => ({
  name,
  description: undefined,
  parameters: { type: 'object', properties: {} },
}));

const conversation: fc.Arbitrary<ChatRequest> = fc
  .record({
    messages: fc
      .tuple(fc.array(system, { maxLength: 1 }), user, fc.array(fc.tuple(step, user), { maxLength: 2 }))
      .map(([first, question, turns]) => numbered([...first, question, ...turns.flat(2)])),
    maxTokens: fc.option(fc.integer({ min: 1, max: 9999 }), { nil: undefined }),
    temperature: fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }),
    topK: fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined }),
    seed: fc.option(fc.nat(), { nil: undefined }),
    stop: fc.array(words, { maxLength: 2 }),
  })
  .map((fields) => ({ ...ollamaChat.readRequest({ messages: [], stream: false }, {}), tools, ...fields }));

test("a random conversation keeps its meaning when converted to Ollama's chat format and back", () => {
  fc.assert(
    fc.property(conversation, (request) => {
      const sent = JSON.parse(chat.encode(request, testUpstream).body ?? '') as JsonObject;
      expect(ollamaChat.readRequest(sent, {})).toEqual(request);
      // Normalized, as the relay counts it.
      expect(ollamaChat.readRequest(ollamaChat.normalize?.(sent) ?? sent, {})).toEqual(request);
    }),
    { numRuns: 200 },
  );
});

const responses: fc.Arbitrary<ChatResponse> = fc
  .record({
    content: fc.option(words, { nil: '' }),
    reasoning: fc.option(words, { nil: undefined }),
    calls: fc.array(call, { maxLength: 3 }),
    finish: fc.constantFrom('stop' as const, 'length' as const),
    prompt: fc.nat({ max: 999 }),
    completion: fc.nat({ max: 999 }),
  })
  .map(({ content, reasoning, calls, finish, prompt, completion }) => ({
    choices: [
      {
        content,
        ...(reasoning !== undefined && { reasoning }),
        ...(calls.length > 0 && { toolCalls: calls.map((called, index) => ({ id: `id_${index}`, ...called })) }),
        finishReason: calls.length > 0 ? 'tool_calls' : finish,
      },
    ],
    usage: { promptTokens: prompt, completionTokens: completion },
  }));

const reply = { id: 'r1', created: 0, model: 'm', wantsUsage: true, body: {} };

/** Splits the bytes at these positions and reads them to a response. */
function readStream(bytes: Buffer, positions: readonly number[]) {
  if (!chat.stream) throw new Error('there is no stream');
  const cutter = frameSplitters[chat.stream.framing]();
  const decoder = chat.stream.open();
  const gatherer = new DeltaMerger();
  const edges = [0, ...positions.map((position) => position % (bytes.length + 1)), bytes.length].toSorted(
    (one, other) => one - other,
  );
  const chunks = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
  for (const frame of [...chunks.flatMap((chunk) => [...cutter.push(chunk)]), ...cutter.finish()]) {
    for (const delta of decoder.push(frame)) gatherer.add(delta);
  }
  return gatherer.response(decoder.usage);
}

test("a random response in Ollama's chat format is read back unchanged, whole or streamed, regardless of where the stream is split", () => {
  fc.assert(
    fc.property(responses, fc.array(fc.nat(), { maxLength: 12 }), (response, positions) => {
      expect(chat.decode?.(JSON.parse(ollamaChat.writeResponse(response, reply)) as unknown)).toEqual(response);
      const writer = ollamaChat.openStream(reply);
      const pieces = toDeltas(response).map((delta) => writer.write(delta));
      expect(readStream(Buffer.from(pieces.join('') + writer.end(response.usage)), positions)).toEqual(response);
    }),
    { numRuns: 200 },
  );
});

test('a random response to a prompt is the same whole and as a stream of lines', () => {
  fc.assert(
    fc.property(responses, (response) => {
      const writer = dialects.ollamaGenerate.openStream(reply);
      const text = [...toDeltas(response).map((delta) => writer.write(delta)), writer.end(response.usage)].join('');
      const lines = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as JsonObject);
      const joined = (name: string) => lines.map((line) => line[name] ?? '').join('');
      const whole = JSON.parse(dialects.ollamaGenerate.writeResponse(response, reply)) as JsonObject;
      expect([joined('response'), joined('thinking')]).toEqual([whole['response'], whole['thinking'] ?? '']);
      expect(lines.at(-1)).toMatchObject({
        done: true,
        done_reason: whole['done_reason'],
        eval_count: whole['eval_count'],
      });
    }),
    { numRuns: 100 },
  );
});
