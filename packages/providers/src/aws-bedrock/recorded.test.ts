import { type ChatResponse, isObject, listAt, numberAt, objectAt, parseJson, textAt } from '@headgate/dialects';
import { recordingsOf } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { defaultProblem } from '../default-problem.ts';
import { frameSplitters } from '../frames.ts';
import type { JsonObject } from '../provider.ts';
import { awsEvent } from '../testing/aws-message.ts';
import { testUpstream } from '../testing/chat-cases.ts';
import { readStreamedResponse } from '../testing/chat-suite.ts';
import { converse, llama } from './chat.ts';
import { embeddings } from './index.ts';

const recordings = recordingsOf('aws-bedrock').map((recording) => ({ ...recording, json: jsonIn(recording.bytes) }));
const whole = recordings.filter(({ json }) => isObject(objectOr(json)['output']) && textAt(json, 'stopReason') !== '');
const problems = recordings.filter(({ status, json }) => status >= 400 && isObject(json));
const streams = recordings.flatMap((recording) => {
  const { name, url } = recording;
  if (url.endsWith('/converse-stream') && recording.status === 200) {
    return [{ name, bytes: recording.bytes, events: eventsIn(recording.bytes) }];
  }
  if (!name.endsWith('.chunks.txt')) return [];
  const lines = recording.bytes.toString('utf8').split('\n');
  const events = lines.filter((line) => line.startsWith('data: ')).map((line) => objectOr(JSON.parse(line.slice(6))));
  const bytes = Buffer.concat(events.flatMap((event) => Object.entries(event).map(asMessage)));
  return [{ name, bytes, events }];
});

describe('recorded Bedrock responses', () => {
  test.each(whole)('reads $name without loss', ({ json }) => {
    const blocks = listAt(objectAt(objectAt(json, 'output'), 'message'), 'content');
    const calls = blocks.map((block) => objectAt(block, 'toolUse')).filter(({ name }) => name !== undefined);
    expect(comparable(converse.decode?.(json))).toEqual({
      content: blocks.map((block) => textAt(block, 'text')).join(''),
      reasoning: blocks
        .map((block) => textAt(objectAt(objectAt(block, 'reasoningContent'), 'reasoningText'), 'text'))
        .join(''),
      calls: calls.map(({ toolUseId, name, input }) => [toolUseId, name, input]),
      isToolCall: textAt(json, 'stopReason') === 'tool_use',
      total: numberAt(objectAt(json, 'usage'), 'totalTokens'),
    });
  });

  test.each(streams)('streams $name without loss', ({ bytes, events }) => {
    const deltas = events.map((event) => objectAt(objectAt(event, 'contentBlockDelta'), 'delta'));
    const calls = events.flatMap((event) => {
      const start = objectAt(event, 'contentBlockStart');
      const { toolUseId, name } = objectAt(objectAt(start, 'start'), 'toolUse');
      return name === undefined ? [] : [[toolUseId, name, argumentsIn(events, start['contentBlockIndex'])]];
    });
    expect(comparable(readStreamedResponse(converse, [bytes]))).toEqual({
      content: deltas.map((delta) => textAt(delta, 'text')).join(''),
      reasoning: deltas.map((delta) => textAt(objectAt(delta, 'reasoningContent'), 'text')).join(''),
      calls,
      isToolCall: events.some((event) => textAt(objectAt(event, 'messageStop'), 'stopReason') === 'tool_use'),
      total: events
        .map((event) => numberAt(objectAt(objectAt(event, 'metadata'), 'usage'), 'totalTokens'))
        .find((total) => total !== undefined),
    });
  });

  test.each(recordings.filter(({ json }) => textAt(json, 'generation') !== ''))(
    'reads $name without loss',
    ({ json }) => {
      expect(llama.decode?.(json)).toEqual({
        choices: [{ content: textAt(json, 'generation'), finishReason: textAt(json, 'stop_reason') }],
        usage: {
          promptTokens: numberAt(json, 'prompt_token_count'),
          completionTokens: numberAt(json, 'generation_token_count'),
        },
      });
    },
  );

  test.each(recordings.filter(({ name }) => name.includes('embeddings')))('reads $name without loss', ({ json }) => {
    expect(embeddings.decode(json, testUpstream)).toMatchObject({
      reply: { data: [{ embedding: listAt(json, 'embedding') }] },
      usage: { promptTokens: numberAt(json, 'inputTextTokenCount') },
    });
  });

  test.each(problems)('reads $name as an error with its message', ({ status, json }) => {
    const problem = converse.readProblem?.(status, json) ?? defaultProblem(status, json);
    expect(problem).toMatchObject({ status, message: textAt(json, 'message') });
  });

  test('the recordings cover every kind of response', () => {
    expect(whole.length).toBeGreaterThan(3);
    expect(streams.length).toBeGreaterThan(3);
    expect(problems.length).toBeGreaterThan(2);
  });
});

/** Argument fragments of a tool call, from a simple scan of the recording. */
function argumentsIn(events: readonly JsonObject[], block: unknown): unknown {
  const pieces = events
    .map((event) => objectAt(event, 'contentBlockDelta'))
    .filter(({ contentBlockIndex }) => contentBlockIndex === block)
    .map((piece) => textAt(objectAt(objectAt(piece, 'delta'), 'toolUse'), 'input'));
  return JSON.parse(pieces.join('') || '{}') as unknown;
}

function comparable(response: ChatResponse | undefined) {
  const choice = response?.choices[0];
  return {
    content: choice?.content,
    reasoning: choice?.reasoning ?? '',
    calls: (choice?.toolCalls ?? []).map(({ id, name, arguments: json }) => [id, name, JSON.parse(json) as unknown]),
    isToolCall: choice?.finishReason === 'tool_calls',
    total: response?.usage && response.usage.promptTokens + response.usage.completionTokens,
  };
}

function asMessage([name, payload]: readonly [string, unknown]): Buffer {
  return awsEvent(name, JSON.stringify(payload));
}

function eventsIn(bytes: Buffer): readonly JsonObject[] {
  const frames = frameSplitters['aws-events']().push(bytes);
  return frames.map(({ event, data }) => ({ [event]: JSON.parse(data) as unknown }));
}

function objectOr(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function jsonIn(bytes: Buffer): unknown {
  return parseJson(bytes.toString('utf8'));
}
