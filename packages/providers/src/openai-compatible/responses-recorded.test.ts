import { DeltaMerger, isObject, listAt, numberAt, objectAt, textAt } from '@headgate/dialects';
import { recordingsOf } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import { frameSplitters } from '../frames.ts';
import type { JsonObject } from '../provider.ts';
import { responsesReader } from './responses-pass.ts';

const recordings = ['openai', 'azure', 'xai', 'deepseek', 'openrouter'].flatMap((vendor) =>
  recordingsOf(vendor).map((recording) => ({ ...recording, name: `${vendor}/${recording.name}` })),
);

const textIn = (output: readonly unknown[]) =>
  output
    .filter((item) => isObject(item) && item['type'] === 'message')
    .flatMap((item) => listAt(item, 'content').map((part) => textAt(part, 'text')))
    .join('');

const callsIn = (output: readonly unknown[]) =>
  output
    .filter((item): item is JsonObject => isObject(item) && item['type'] === 'function_call')
    .map((item) => [textAt(item, 'call_id'), textAt(item, 'arguments')]);

function readStream(bytes: Buffer) {
  const cutter = frameSplitters.sse();
  const decoder = responsesReader.stream.open();
  const gatherer = new DeltaMerger();
  for (const frame of [...cutter.push(bytes), ...cutter.finish()]) {
    for (const delta of decoder.push(frame)) gatherer.add(delta);
  }
  return gatherer.response(decoder.usage);
}

/** Expected result, from the stream's own text deltas and its last response. */
function expectedResult(bytes: Buffer) {
  const lines = bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => /^data: ?\{/.test(line));
  const events = lines.map((line) => JSON.parse(line.slice(line.indexOf('{'))) as JsonObject);
  const pieces = events.filter(({ type }) => type === 'response.output_text.delta');
  const last = events.findLast(({ type }) => type === 'response.completed' || type === 'response.incomplete');
  return { words: pieces.map((event) => textAt(event, 'delta')).join(''), response: objectAt(last, 'response') };
}

describe('recorded Responses API responses', () => {
  const whole = recordings.filter(
    ({ json, status }) =>
      status === 200 &&
      isObject(json) &&
      json['object'] === 'response' &&
      Array.isArray(json['output']) &&
      json['status'] !== 'failed',
  );
  const streams = recordings.filter(
    ({ bytes, json }) =>
      json === undefined && /"type": ?"response\.(?:completed|incomplete)"/.test(bytes.toString('utf8')),
  );

  const expectReported = (reply: ReturnType<typeof readStream>, response: JsonObject, message: string) => {
    const [choice] = reply?.choices ?? [];
    const calls = choice?.toolCalls ?? [];
    expect(choice?.content).toBe(message);
    for (const [id, json] of callsIn(listAt(response, 'output'))) {
      expect(calls).toContainEqual(expect.objectContaining({ id, arguments: json }));
    }
    expect(reply?.usage?.promptTokens).toBe(numberAt(objectAt(response, 'usage'), 'input_tokens'));
    expect(reply?.usage?.completionTokens).toBe(numberAt(objectAt(response, 'usage'), 'output_tokens'));
  };

  test.each(whole)('reads $name without loss', ({ json }) => {
    expectReported(responsesReader.decode(json), json as JsonObject, textIn(listAt(json, 'output')));
  });

  test.each(streams)('streams $name without loss', ({ bytes }) => {
    const { words, response } = expectedResult(bytes);
    expectReported(readStream(bytes), response, words);
  });

  test('the recordings cover both kinds of responses', () => {
    expect(whole.length).toBeGreaterThan(2);
    expect(streams.length).toBeGreaterThan(2);
  });
});
