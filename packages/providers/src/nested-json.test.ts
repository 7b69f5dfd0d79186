import { gemini, RequestProblem, readChatRequest } from '@headgate/dialects';
import { describe, expect, it } from 'vitest';
import { fitRequest } from './fit-request.ts';
import type { JsonObject, Upstream } from './provider.ts';
import { providers, toChatAdaptor } from './registry.ts';

const plain: Upstream = {
  baseUrl: 'https://upstream.test',
  key: 'key',
  model: 'a-model',
  requestedModel: 'a-model',
  isStream: false,
  other: '',
  config: { region: 'us-east-1', ak: 'AK', sk: 'SK' },
  clientHeaders: {},
  credential: '',
  largestBody: 10_000_000,
  now: Date.UTC(2025, 0, 1),
  nonce: 'nonce',
};

const types = { Anthropic: 14, Gemini: 24, Ollama: 30, Bedrock: 33 } as const;
type Name = keyof typeof types;

/** Upstream body of a conversation with tool calls and results. */
function sent(name: Name, calls: readonly string[], results: readonly string[] = []): JsonObject {
  const upstream = { ...plain, model: name === 'Bedrock' ? 'claude-sonnet-4-5' : 'a-model' };
  const { chat } = providers[types[name]];
  const wire = typeof chat === 'function' ? chat(upstream) : chat;
  if (!wire) throw new Error(`${name} has no chat`);
  const tool_calls = calls.map((json, index) => ({
    id: `call_${index}`,
    type: 'function',
    function: { name: 'f', arguments: json },
  }));
  const responses = results.map((content, index) => ({ role: 'tool', tool_call_id: `call_${index}`, content }));
  const messages = [{ role: 'user', content: 'Hi' }, { role: 'assistant', tool_calls }, ...responses];
  const adaptor = toChatAdaptor(wire);
  const { request } = fitRequest(readChatRequest({ messages }), adaptor);
  return JSON.parse(adaptor.encode(request, upstream).body ?? '') as JsonObject;
}

const arrays = (count: number) => `{"a":[${'[],'.repeat(count)}0]}`;
const deep = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;

describe.each(Object.keys(types) as Name[])('tool calls for %s', (name) => {
  it('[A64.2] rejects tool calls whose arguments have too many parts or are nested too deeply', () => {
    for (const json of [arrays(50_000), deep(300)]) expect(() => sent(name, [json])).toThrow(RequestProblem);
  });

  it('[A64.2] rejects tool calls whose arguments together have too many parts', () => {
    expect(() =>
      sent(
        name,
        Array.from({ length: 10 }, () => arrays(6000)),
      ),
    ).toThrow(RequestProblem);
  });

  it('sends the arguments of other tool calls as objects', () => {
    expect(JSON.stringify(sent(name, [arrays(2), deep(100)]))).toContain('{"a":[[],[],0]}');
  });
});

describe('Gemini tool results', () => {
  const responses = (results: readonly string[]) => {
    const { contents } = sent(
      'Gemini',
      results.map(() => '{}'),
      results,
    ) as { contents: { parts: JsonObject[] }[] };
    return contents.at(-1)?.parts.map((part) => (part['functionResponse'] as JsonObject)['response']);
  };

  it('sends small JSON objects as objects', () => {
    expect(responses(['{"b":1}', 'sun'])).toEqual([{ b: 1 }, { result: 'sun' }]);
  });

  it('[A64.3] sends tool results as text once all results together have too many parts', () => {
    const large = arrays(30_000);
    expect(responses([deep(300), large, large, '{"b":1}'])).toEqual([
      { result: deep(300) },
      JSON.parse(large),
      { result: large },
      { result: '{"b":1}' },
    ]);
  });
});

it("[A64.3] drops other vendors' reasoning from Gemini requests once its JSON has too many parts in total", () => {
  const seal = (json: string) => Buffer.from(`hg1.anthropic.${json}`).toString('base64');
  const thoughtsOf = (...seals: readonly string[]) => {
    const parts = seals.map((json) => ({ text: 'x', thoughtSignature: seal(json) }));
    const contents = [
      { role: 'user', parts: [{ text: 'Hi' }] },
      { role: 'model', parts },
    ];
    const [, message] = gemini.readRequest({ contents }, { model: 'm' }).messages;
    return message?.role === 'assistant' ? message.thoughts.map(({ text }) => text) : [];
  };
  const thought = '{"text":"a","signature":"s"}';
  const large = `[${thought}${',[]'.repeat(30_000)}]`;
  expect(thoughtsOf(`[${thought}]`, large, large, `[${thought}]`)).toEqual(['a', 'a']);
});
