import { type ChatResponse, isObject, listAt, numberAt, objectAt, parseJson, textAt } from '@headgate/dialects';
import { recordingsOf } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../provider.ts';
import { readStreamedResponse } from '../testing/chat-suite.ts';
import { chat } from './chat.ts';

const recordings = recordingsOf('anthropic').map((recording) => ({ ...recording, json: jsonIn(recording.bytes) }));
const whole = recordings.filter(({ json }) => Array.isArray(objectOr(json)['content']));
const problems = recordings.filter(({ status }) => status >= 400);
const streams = recordings
  .map(({ name, bytes, json }) => ({ name, bytes, events: Array.isArray(json) ? json.map(objectOr) : eventsIn(bytes) }))
  .filter(({ events }) => events.length > 1)
  .map((stream) => ({ ...stream, messages: messagesIn(stream.events) }));

describe('recorded Anthropic responses', () => {
  test.each(whole)('reads $name without loss', ({ json }) => {
    expect(comparable(chat.decode?.(json))).toEqual(expectedResult([], objectOr(json)));
  });

  test.each(streams)('streams $name without loss', ({ bytes, messages }) => {
    for (const events of messages) {
      const isAsSent = messages.length === 1 && bytes.includes('data: {');
      const sent = isAsSent ? bytes : Buffer.from(events.map(sseOf).join(''));
      expect(comparable(readStreamedResponse(chat, [sent]))).toEqual(expectedResult(events, {}));
    }
  });

  test.each(problems)('reads $name as an error with its message', ({ json }) => {
    expect(() => chat.decode?.(json)).toThrow(textAt(objectAt(json, 'error'), 'message'));
  });

  test('the recordings cover every kind of response', () => {
    expect(whole.length).toBeGreaterThan(5);
    expect(streams.length).toBeGreaterThan(5);
    expect(problems.length).toBeGreaterThan(2);
  });
});

/** Expected result, from a simple scan of the recording that shares no code with the decoder. */
function expectedResult(events: readonly JsonObject[], whole: JsonObject) {
  const wholes = [whole, ...events.map((event) => objectAt(event, 'message'))];
  const blocks = [
    ...wholes.flatMap((message) => listAt(message, 'content').map(objectOr)),
    ...events.map((event) => objectAt(event, 'content_block')),
  ];
  const pieces = events.map((event) => objectAt(event, 'delta'));
  const usages = [...wholes, ...events].map((source) => objectAt(source, 'usage'));
  const most = (name: string) => Math.max(0, ...usages.map((usage) => countIn(usage, name)));
  return {
    content: [...blocks, ...pieces]
      .map((part) => (/^text/.test(textAt(part, 'type')) ? textAt(part, 'text') : ''))
      .join(''),
    reasoning: [...blocks, ...pieces].map((part) => textAt(part, 'thinking')).join(''),
    calls: blocks
      .filter(({ type }) => type === 'tool_use')
      .map((block) => [block['id'], block['name'], argumentsIn(block, events)]),
    isToolCall: [...wholes, ...pieces].some((source) => source['stop_reason'] === 'tool_use'),
    prompt: most('input_tokens') + most('cache_creation_input_tokens') + most('cache_read_input_tokens'),
    completion: most('output_tokens'),
    cached: most('cache_read_input_tokens'),
  };
}

/** Sums a count over the iterations of a message. */
function countIn(usage: JsonObject, name: string): number {
  const goes = listAt(usage, 'iterations');
  return (goes.length > 0 ? goes : [usage]).reduce<number>((sum, go) => sum + (numberAt(go, name) ?? 0), 0);
}

function argumentsIn(block: JsonObject, events: readonly JsonObject[]): unknown {
  const start = events.find((event) => event['content_block'] === block);
  if (!start) return block['input'];
  const json = events
    .filter((event) => event['type'] === 'content_block_delta' && event['index'] === start['index'])
    .map((event) => textAt(event['delta'], 'partial_json'))
    .join('');
  return json === '' ? block['input'] : JSON.parse(json);
}

function comparable(response: ChatResponse | undefined) {
  const choice = response?.choices[0];
  return {
    content: choice?.content,
    reasoning: choice?.reasoning ?? '',
    calls: (choice?.toolCalls ?? []).map(({ id, name, arguments: json }) => [id, name, JSON.parse(json) as unknown]),
    isToolCall: choice?.finishReason === 'tool_calls',
    prompt: response?.usage?.promptTokens ?? 0,
    completion: response?.usage?.completionTokens ?? 0,
    cached: response?.usage?.cachedTokens ?? 0,
  };
}

function eventsIn(bytes: Buffer): readonly JsonObject[] {
  const lines = bytes.toString('utf8').split('\n');
  return lines.filter((line) => line.startsWith('data: {')).map((line) => objectOr(JSON.parse(line.slice(6))));
}

/** Some files contain a whole exchange, one message after another. */
function messagesIn(events: readonly JsonObject[]): readonly (readonly JsonObject[])[] {
  const starts = events.flatMap((event, index) => (event['type'] === 'message_start' ? [index] : []));
  return starts.map((from, number) => events.slice(from, starts[number + 1]));
}

function sseOf(event: JsonObject): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

function jsonIn(bytes: Buffer): unknown {
  return parseJson(bytes.toString('utf8'));
}

function objectOr(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
