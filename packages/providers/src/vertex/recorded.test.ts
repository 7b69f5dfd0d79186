import { type ChatResponse, isObject, listAt, numberAt, objectAt, parseJson, textAt } from '@headgate/dialects';
import { recordingsOf } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { testUpstream } from '../testing/chat-cases.ts';
import { readStreamedResponse } from '../testing/chat-suite.ts';
import { claude, gemini } from './chat.ts';
import { embeddings } from './index.ts';

const recordings = recordingsOf('vertexai').map((recording) => ({ ...recording, json: jsonIn(recording.bytes) }));
const whole = recordings.filter(({ json }) => textAt(listAt(json, 'candidates')[0], 'finishReason') !== '');
const streams = recordings.filter(
  ({ bytes, status }) => status === 200 && /^data: ?\{.*"candidates"/m.test(bytes.toString('utf8')),
);
const problems = recordings.filter(({ status }) => status >= 400);

describe('recorded Vertex responses', () => {
  test.each(whole)('reads $name without loss', ({ json }) => {
    expect(comparable(gemini.decode?.(json))).toEqual(expectedResult([json]));
  });

  test.each(streams)('streams $name without loss', ({ bytes }) => {
    const lines = bytes.toString('utf8').split('\n');
    const events = lines.filter((line) => line.startsWith('data: {')).map((line): unknown => JSON.parse(line.slice(6)));
    expect(comparable(readStreamedResponse(gemini, [bytes]))).toEqual(expectedResult(events));
  });

  test.each(recordings.filter(({ json }) => textAt(json, 'type') === 'message'))(
    'reads $name without loss',
    ({ json }) => {
      const response = claude.decode?.(json);
      const blocks = listAt(json, 'content').map((block) => textAt(block, 'text'));
      expect(response?.choices[0]?.content).toBe(blocks.join(''));
      expect(response?.usage?.completionTokens).toBe(numberAt(objectAt(json, 'usage'), 'output_tokens'));
    },
  );

  test.each(recordings.filter(({ name }) => name.includes('embedding')))('reads $name without loss', ({ json }) => {
    const predictions = listAt(json, 'predictions').map((row) => objectAt(row, 'embeddings'));
    const rows = predictions.length > 0 ? predictions : [objectAt(json, 'embedding')];
    const data = rows.map((row) => ({ embedding: listAt(row, 'values') }));
    expect(embeddings.decode(json, testUpstream)).toMatchObject({ reply: { data } });
  });

  test.each(problems)('reads $name as an error with its message', ({ status, json }) => {
    expect(gemini.readProblem?.(status, json)?.message).toBe(textAt(objectAt(json, 'error'), 'message'));
  });

  test('the recordings cover every kind of response', () => {
    expect(whole.length).toBeGreaterThan(5);
    expect(streams.length).toBeGreaterThan(2);
    expect(problems.length).toBeGreaterThan(1);
  });
});

/** Expected result, from a simple scan of the recording that shares no code with the decoder. */
function expectedResult(events: readonly unknown[]) {
  const parts = events
    .flatMap((event) => listAt(objectAt(listAt(event, 'candidates')[0], 'content'), 'parts'))
    .filter(isObject);
  const usage = events
    .map((event) => objectAt(event, 'usageMetadata'))
    .findLast((counts) => 'promptTokenCount' in counts);
  const calls = parts.map((part) => objectAt(part, 'functionCall')).filter((call) => textAt(call, 'name') !== '');
  return {
    content: parts.map((part) => (part['thought'] === true ? '' : textAt(part, 'text'))).join(''),
    reasoning: parts.map((part) => (part['thought'] === true ? textAt(part, 'text') : '')).join(''),
    calls: calls.map((call) => [textAt(call, 'name'), objectAt(call, 'args')]),
    total: numberAt(usage, 'totalTokenCount'),
  };
}

function comparable(response: ChatResponse | undefined) {
  const choice = response?.choices[0];
  return {
    content: choice?.content,
    reasoning: choice?.reasoning ?? '',
    calls: (choice?.toolCalls ?? []).map(({ name, arguments: json }) => [name, JSON.parse(json) as unknown]),
    total: response?.usage && response.usage.promptTokens + response.usage.completionTokens,
  };
}

function jsonIn(bytes: Buffer): unknown {
  return parseJson(bytes.toString('utf8'));
}
