import { silentWav } from '@headgate/testkit';
import { countTokens as countOlder } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countNewer } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { endpointKinds } from '../request/endpoint-kinds.ts';
import { readRequest } from '../request/read-request.ts';
import { withoutServerTools } from '../request/server-tools.ts';
import { estimatePromptTokens, promptTokenBound } from './prompt-bound.ts';
import { collectPromptTexts } from './usage-counter.ts';

/** Pseudo-random numbers that are the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

const vocabularies = [
  ['gpt-4', countOlder],
  ['gpt-4o', countNewer],
] as const;

const pieces = [
  'The quick brown fox jumps over the lazy dog. ',
  '今天天气很好，我们去公园散步吧。',
  '1 2 3 4 5 ',
  '\u0001\u0002\u007f',
  'qzxjvkqzx',
  '🧿🫠🪬',
  '𒀀𒁀𓀀',
  '~`^|\\@#%&',
  'function f(a) {\n\t\treturn a["b"] ?? 0;\n}\n',
  '\u200d\ufe0f\u0301',
  '        \n\n\n',
  'ﷺ',
];

const readChat = (body: object) => readRequest(endpointKinds.chat, Buffer.from(JSON.stringify(body)));

describe.each(vocabularies)('prompt token bounds with the vocabulary of %s', (model, count) => {
  /** Counts like OpenAI: each text, three tokens per message and three before the response. */
  const usedBy = (texts: readonly (readonly string[])[]) =>
    texts.flat().reduce((sum, text) => sum + count(text), texts.length * 3 + 3);

  const closerOf = (request: ReturnType<typeof readChat>) => {
    const { texts, tokens } = collectPromptTexts(request, []) ?? { texts: [], tokens: 0 };
    return estimatePromptTokens(
      request,
      [],
      texts.reduce((sum, text) => sum + count(text), tokens),
    ).bound;
  };

  test('[A5.9] the prompt tokens never exceed their bounds', () => {
    const seed = 4711;
    const random = seeded(seed);
    const text = () =>
      Array.from({ length: 1 + Math.floor(random() * 30) }, () => pieces[Math.floor(random() * pieces.length)]).join(
        '',
      );
    for (let round = 0; round < 100; round += 1) {
      const responseTexts = Array.from({ length: 1 + Math.floor(random() * 3) }, () => ['user', text(), text()]);
      const messages = responseTexts.map(([role, content, other], index) => ({
        role,
        ...(index % 2 === 0 ? { content, name: other } : { content: [{ type: 'text', text: content }], odd: [other] }),
      }));
      const request = readChat({ model, messages, max_tokens: 5 });
      const used = usedBy(responseTexts);
      expect(promptTokenBound(request, []), `seed ${seed}, round ${round}`).toBeGreaterThanOrEqual(used);
      expect(closerOf(request), `seed ${seed}, round ${round}`).toBeGreaterThanOrEqual(used);
    }
  });

  test('the bound is tight when the texts are counted', () => {
    const content = 'The quick brown fox jumps over the lazy dog. '.repeat(100);
    const request = readChat({ model, messages: [{ role: 'user', content }] });
    const used = usedBy([['user', content]]);
    expect(closerOf(request) - used).toBeLessThan(10);
    expect(promptTokenBound(request, [])).toBeGreaterThan(used * 4);
  });
});

test("the bound has a margin of 50% when the vocabulary is not OpenAI's", () => {
  const channel = { modelMapping: new Map([['gpt-4o', 'llama-3.3']]), systemPrompt: '' } as never;
  const request = readChat({ model: 'gpt-4o', messages: [{ role: 'user', content: 'word '.repeat(1000) }] });
  expect(estimatePromptTokens(request, [channel], 1000).bound).toBeGreaterThan(1500);
  expect(estimatePromptTokens(request, [channel], 1000).expected).toBe(1106);
  expect(estimatePromptTokens(request, [], 1000)).toEqual({ expected: 1006, bound: 1008 });
});

test('[A68.9] the count is not exact for an alias whose target model has another vocabulary', () => {
  const channelTo = (name: string) => ({ modelMapping: new Map([['smart', name]]), systemPrompt: '' }) as never;
  const request = readChat({ model: 'smart', messages: [{ role: 'user', content: 'word '.repeat(1000) }] });
  expect(estimatePromptTokens(request, [channelTo('gpt-4')], 1000).expected).toBe(1106);
  expect(estimatePromptTokens(request, [channelTo('gpt-4o')], 1000).expected).toBe(1006);
});

test('[A5.5] the bound excludes the bytes of base64 images and audio, but includes content behind URLs', () => {
  const data = 'A'.repeat(1_000_000);
  const boundOf = (part: object) =>
    promptTokenBound(readChat({ model: 'gpt-4o', messages: [{ role: 'user', content: [part] }] }), []);
  expect(boundOf({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } })).toBeLessThan(6000);
  const sound = (samplesPerSecond: number, format = 'wav') =>
    boundOf({ type: 'input_audio', input_audio: { data: silentWav(samplesPerSecond, 750_000), format } });
  expect(sound(8000)).toBeLessThan(70_000);
  expect(sound(100)).toBeGreaterThan(131_000);
  expect(sound(8000, 'flac')).toBeGreaterThan(131_000);
  expect(boundOf({ type: 'image_url', image_url: { url: `data:text/plain,${data}` } })).toBeGreaterThan(131_000);
  expect(boundOf({ type: 'zzz', zzz: data })).toBeGreaterThan(1_000_000);
  expect(boundOf({ type: 'file', file: { file_id: 'file-1' } })).toBeGreaterThan(100_000);
  expect(boundOf({ type: 'text', text: 'see https://a.example' })).toBeLessThan(300);
});

test('[A5.9] the bound excludes tools that were dropped', () => {
  const messages = [{ role: 'user', content: 'hello' }];
  const read = (body: object) => readRequest(endpointKinds.messages, Buffer.from(JSON.stringify(body)));
  const requested = { model: 'claude-sonnet-4-5', max_tokens: 10, messages };
  const search = { type: 'web_search_20250305', name: 'web_search' };
  const stripped = withoutServerTools(read({ ...requested, tools: [search] }), []);
  expect(stripped.dropped).toHaveLength(1);
  expect(promptTokenBound(stripped, [])).toBe(promptTokenBound(read(requested), []));
});
