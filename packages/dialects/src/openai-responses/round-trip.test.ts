import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChatChoice, ToolCall } from '../chat/chat-response.ts';
import { toDeltas } from '../chat/merge-deltas.ts';
import type { ReasoningBlock } from '../chat/reasoning-block.ts';
import { isObject, type JsonObject } from '../json-fields.ts';
import { listAt, objectAt } from '../upstream-fields.ts';
import { openaiResponses } from './index.ts';

const words = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
const seal = fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...'abcXYZ019+/=') });

const thought: fc.Arbitrary<ReasoningBlock> = fc.oneof(
  fc.record({ text: words, maker: fc.constantFrom('anthropic' as const, 'google' as const), signature: seal }),
  fc.record({ text: fc.constant(''), maker: fc.constantFrom('anthropic' as const, 'google' as const), sealed: seal }),
);

const tools = ['f', 'g'].map((name) => ({ type: 'function', name }));
const groups = [
  { type: 'namespace', name: 'n', tools },
  { type: 'custom', name: 'patch' },
];
const body: JsonObject = { model: 'm', tools: [...tools, ...groups] };

const callArguments = fc.oneof(
  fc.record({ name: fc.constantFrom('f', 'g', 'n__f', 'n__g'), arguments: fc.json() }),
  fc.record({ name: fc.constant('patch'), arguments: words.map((input) => JSON.stringify({ input })) }),
);

const toolCalls: fc.Arbitrary<readonly ToolCall[]> = fc
  .array(fc.tuple(callArguments, fc.option(seal, { nil: undefined })), { maxLength: 3 })
  .map((calls) =>
    calls.map(([call, thoughtSignature], index) => ({
      id: `call.${index}`,
      ...call,
      ...(thoughtSignature !== undefined && { thoughtSignature }),
    })),
  );

const choice: fc.Arbitrary<ChatChoice> = fc
  .record({ content: fc.oneof(fc.constant(''), words), thoughts: fc.array(thought, { maxLength: 3 }), toolCalls })
  .map(({ content, thoughts, toolCalls: calls }) => ({
    content,
    ...(thoughts.length > 0 && { thoughts, reasoning: thoughts.map(({ text }) => text).join('') }),
    ...(calls.length > 0 && { toolCalls: calls }),
    finishReason: calls.length > 0 ? 'tool_calls' : 'stop',
  }));

/** Reads the output that the client sends back in its next turn. */
function readBack(output: readonly unknown[]) {
  const { messages } = openaiResponses.readRequest({ ...body, input: output.filter(isObject) }, {});
  const [message] = messages;
  return message?.role === 'assistant'
    ? { content: message.text, thoughts: message.thoughts, toolCalls: message.toolCalls }
    : { content: '', thoughts: [], toolCalls: [] };
}

const meaningOf = ({ content, thoughts = [], toolCalls: calls = [] }: ChatChoice) => ({
  content,
  thoughts,
  toolCalls: calls,
});

const reply = { id: 'r', created: 0, model: 'm', wantsUsage: true, body };

test('a random response keeps its meaning when the client sends it back in the next turn', () => {
  fc.assert(
    fc.property(choice, (response) => {
      const whole = JSON.parse(
        openaiResponses.writeResponse({ choices: [response], usage: undefined }, reply),
      ) as unknown;
      expect(readBack(listAt(whole, 'output'))).toEqual(meaningOf(response));
    }),
    { numRuns: 300 },
  );
});

const doneEvent = 'data: {"type":"response.output_item.done"';

test('a random stream contains the same content as the whole response', () => {
  fc.assert(
    fc.property(choice, (result) => {
      const writer = openaiResponses.openStream(reply);
      const events = toDeltas({ choices: [result], usage: undefined }).map((delta) => writer.write(delta));
      const last = writer.end(undefined).split('\n\n').at(-2) ?? '';
      const response = objectAt(JSON.parse(last.slice(last.indexOf('{'))), 'response');
      expect(response).toEqual(
        JSON.parse(openaiResponses.writeResponse({ choices: [result], usage: undefined }, reply)),
      );
      const done = events
        .join('')
        .split('\n')
        .filter((line) => line.startsWith(doneEvent));
      for (const line of done) {
        const data = JSON.parse(line.slice('data: '.length)) as { item: JsonObject; output_index: number };
        const { item, output_index } = data;
        expect(listAt(response, 'output')[output_index]).toEqual(item);
      }
    }),
    { numRuns: 200 },
  );
});
