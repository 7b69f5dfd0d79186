import { type ChatResponse, isObject, listAt, numberAt, objectAt, textAt } from '@headgate/dialects';
import { type Recording, recordingsOf } from '@headgate/testkit';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../provider.ts';
import { readStreamedResponse } from '../testing/chat-suite.ts';
import { openaiAdaptor } from './chat-adaptor.ts';
import { passThrough } from './pass-through.ts';

const adaptor = openaiAdaptor(passThrough('/v1/chat/completions'));
const vendors = ['deepseek', 'groq', 'mistral', 'moonshot', 'openai', 'openrouter', 'xai', 'zhipu', 'azure', 'alibaba'];
const recordings = vendors.flatMap((vendor) =>
  recordingsOf(vendor).map((recording) => ({ ...recording, name: `${vendor}/${recording.name}` })),
);

const isWhole = ({ json, status }: Recording) =>
  status === 200 && textAt(objectAt(listAt(json, 'choices')[0], 'message'), 'role') !== '';
const isStream = ({ bytes }: Recording) => /^data: ?\{.*"delta"/m.test(bytes.toString('utf8'));

describe("recorded responses in OpenAI's chat", () => {
  const whole = recordings.filter(isWhole);
  const streams = recordings.filter((recording) => recording.json === undefined && isStream(recording));
  const complete = streams.filter(({ bytes }) => /"finish_reason": ?"/.test(bytes.toString('utf8')));

  test.each(whole)('reads $name without loss', ({ json }) => {
    const messages = [objectAt(listAt(json, 'choices')[0], 'message')];
    expect(comparable(adaptor.decode?.(json))).toEqual(expectedResult(messages, [json]));
  });

  test.each(complete)('streams $name without loss', ({ bytes }) => {
    const events = [...bytes.toString('utf8').matchAll(/^data: ?(\{.*\})\r?$/gm)].map(
      ([, data]) => JSON.parse(data ?? '') as JsonObject,
    );
    const messages = events.map((event) => objectAt(listAt(event, 'choices')[0], 'delta'));
    expect(comparable(readStreamedResponse(adaptor, [bytes]))).toEqual(expectedResult(messages, events));
  });

  test('the recordings cover both kinds of responses', () => {
    expect(whole.length).toBeGreaterThan(10);
    expect(complete.length).toBeGreaterThan(10);
  });
});

/** Expected result, from a simple scan of the chunks that shares no code with the decoder. */
function expectedResult(messages: readonly JsonObject[], events: readonly unknown[]) {
  const calls = messages.flatMap((message) => [...listAt(message, 'tool_calls')]);
  const usages = events.map((event) => (isObject(event) ? event['usage'] : undefined)).filter(isObject);
  const besides = events.map(
    (event) => objectAt(event, 'x_groq')['usage'] ?? objectAt(listAt(event, 'choices')[0], 'usage'),
  );
  const usage =
    usages.at(-1) ?? besides.filter((topLevelUsage) => numberAt(topLevelUsage, 'prompt_tokens') !== undefined).at(-1);
  const contents = messages.flatMap(({ content }) =>
    Array.isArray(content) ? (content as unknown[]) : [{ text: content }],
  );
  return {
    content: contents.map((part) => textAt(part, 'text')).join(''),
    reasoning:
      messages.map((message) => textAt(message, 'reasoning_content') || textAt(message, 'reasoning')).join('') +
      contents.flatMap((part) => listAt(part, 'thinking').map((thought) => textAt(thought, 'text'))).join(''),
    names: calls.map((call) => textAt(objectAt(call, 'function'), 'name')).filter((name) => name !== ''),
    arguments: calls.map((call) => textAt(objectAt(call, 'function'), 'arguments')).join(''),
    usage: [numberAt(usage, 'prompt_tokens'), responded(usage)],
  };
}

/** All completion tokens. xAI reports reasoning separately, but includes it in the total. */
function responded(usage: unknown): number | undefined {
  const [prompt = 0, completion = 0] = [numberAt(usage, 'prompt_tokens'), numberAt(usage, 'completion_tokens')];
  const thoughts = numberAt(objectAt(usage, 'completion_tokens_details'), 'reasoning_tokens') ?? 0;
  const isBeside = thoughts > 0 && numberAt(usage, 'total_tokens') === prompt + completion + thoughts;
  return isBeside ? completion + thoughts : numberAt(usage, 'completion_tokens');
}

function comparable(response: ChatResponse | undefined) {
  const choice = response?.choices[0];
  return {
    content: choice?.content,
    reasoning: choice?.reasoning ?? '',
    names: choice?.toolCalls?.map(({ name }) => name) ?? [],
    arguments: choice?.toolCalls?.map((call) => call.arguments).join('') ?? '',
    usage: [response?.usage?.promptTokens, response?.usage?.completionTokens],
  };
}
