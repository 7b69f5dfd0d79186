import older from 'gpt-tokenizer/encoding/cl100k_base';
import newest from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, describe, expect, test } from 'vitest';
import { splitPosition } from './text-tally.ts';
import { encodingOf } from './token-sum.ts';
import { Tokenizer } from './tokenizer.ts';

const longTimeoutMs = 60_000;
const tokenizer = new Tokenizer({ patience: longTimeoutMs });
afterAll(() => tokenizer.close());

function count(model: string, ...texts: string[]): Promise<number | undefined> {
  const sum = tokenizer.sumFor(model);
  sum.add(texts);
  return sum.total();
}

test('starts no thread before the first count', async () => {
  const unused = new Tokenizer();
  const sum = unused.sumFor('gpt-4o');
  sum.add([]);
  sum.add(['']);
  expect(await sum.total()).toBe(0);
  expect(unused.isLoaded).toBe(false);
});

test.each([
  // Examples published by OpenAI for its tokenizer.
  ['antidisestablishmentarianism', 6, 6],
  ['2 + 2 = 4', 7, 7],
  ['お誕生日おめでとう', 8, 9],
  ['Hello, world!', 4, 4],
  ['人工智能正在改变世界', 5, 11],
  ['for (let i = 0; i < 10; i += 1) {\n  total += i;\n}\n', 25, 25],
  ['👩‍👩‍👧‍👦', 11, 18],
  ['<|endoftext|>', 7, 7],
  ['', 0, 0],
])('counts %j as %i tokens in o200k_base and %i in cl100k_base', async (text, byNewest, byOlder) => {
  expect([await count('gpt-4o', text), await count('gpt-4', text)]).toEqual([byNewest, byOlder]);
});

test("selects the vocabulary by model, and OpenAI's newest vocabulary for other vendors", () => {
  const old = ['gpt-3.5-turbo', 'gpt-35-turbo', 'gpt-4', 'gpt-4-turbo', 'openai/gpt-4-0613', 'ft:gpt-3.5-turbo:x'];
  for (const model of [...old, 'text-embedding-ada-002'])
    expect([model, encodingOf(model)]).toEqual([model, 'cl100k_base']);
  for (const model of [
    'gpt-4o',
    'chatgpt-4o-latest',
    'gpt-4.1',
    'gpt-4.5',
    'gpt-5',
    'o1',
    'o3-mini',
    'claude-sonnet-4',
    'qwen',
    '',
  ]) {
    expect([model, encodingOf(model)]).toEqual([model, 'o200k_base']);
  }
});

const texts = {
  English: "It's the wolves' 1,234.56 km — don't you know? ".repeat(200),
  Chinese: '春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少？'.repeat(200),
  code: 'const x = { "a": [1, 2, 3], b: `y` + "$" };\n\n\t// naïve café\r\n'.repeat(200),
  odd: 'İstanbul’da 𝒜𝓁𝓅𝒽𝒶 mañana «été» e\u0301t\u0301 '.repeat(200),
};

describe('splitting a text', () => {
  test.each(Object.entries(texts))(
    'counts the same number of tokens for the chunks as for the whole text: %s',
    async (_, text) => {
      const pieces: string[] = [];
      for (let at = 0; at < text.length; ) {
        const end = splitPosition(text, at, 777);
        pieces.push(text.slice(at, end));
        at = end;
      }
      expect(pieces.length).toBeGreaterThan(5);
      expect(pieces.join('')).toBe(text);
      expect(await count('gpt-4o', ...pieces)).toBe(newest.countTokens(text));
      expect(await count('gpt-4', ...pieces)).toBe(older.countTokens(text));
      expect(await count('gpt-4o', text)).toBe(newest.countTokens(text));
    },
  );

  test('splits inside a word if necessary, but never inside a character', () => {
    expect(splitPosition('a'.repeat(5000), 0, 1000)).toBe(1000);
    expect(splitPosition('😀'.repeat(5000), 0, 999)).toBe(998);
    expect(splitPosition('short', 0, 1000)).toBe(5);
    expect(splitPosition(`${'a'.repeat(500)} ${'b'.repeat(400)}`, 0, 600)).toBe(500);
  });
});

test('[A27.2] counts a very long word without delaying other jobs', async () => {
  const reported: string[] = [];
  const long = count('gpt-4o', `${'a'.repeat(200_000)}`, scrambled(200_000)).then((tokens) => {
    reported.push('long');
    return tokens;
  });
  const short = count('gpt-4o', 'Hello, world!').then((tokens) => {
    reported.push('short');
    return tokens;
  });
  setImmediate(() => reported.push('this thread'));
  expect(await short).toBe(4);
  expect(await long).toBeGreaterThan(25_000 + 90_000);
  expect(reported.toSorted()).toEqual(['long', 'short', 'this thread']);
  expect(reported.at(-1)).toBe('long');
});

/** Letter sequences that no vocabulary contains. */
function scrambled(length: number): string {
  let seed = 1;
  return Array.from({ length }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return String.fromCharCode(97 + (seed % 26));
  }).join('');
}

test('returns undefined if counting takes too long', async () => {
  const hasty = new Tokenizer({ patience: 0 });
  const sum = hasty.sumFor('gpt-4o');
  sum.add([scrambled(3_000_000)]);
  expect(await sum.total()).toBeUndefined();
  expect(hasty.isLoaded).toBe(true);
  await hasty.close();
});

test('does not delay the next job after a job is canceled', async () => {
  const sum = tokenizer.sumFor('gpt-4o');
  sum.add([scrambled(3_000_000)]);
  sum.drop();
  expect(await sum.total()).toBeUndefined();
  expect(await count('gpt-4o', 'Hello, world!')).toBe(4);
});

test('drops text beyond the queue limit', async () => {
  const sum = tokenizer.sumFor('gpt-4o');
  sum.add(['Hello']);
  sum.add(['x'.repeat(5_000_000)]);
  sum.add(['world']);
  expect(await sum.total()).toBeUndefined();
});

test('stops an idle thread and restarts it when needed', async () => {
  const own = new Tokenizer({ idle: 0, patience: longTimeoutMs });
  for (const text of ['Hello', 'again']) {
    const sum = own.sumFor('gpt-4o');
    sum.add([text]);
    expect(own.isLoaded).toBe(true);
    expect(await sum.total()).toBe(1);
    await expect.poll(() => own.isLoaded).toBe(false);
  }
});

test('ends pending counts when the thread fails, and restarts it after a delay', async () => {
  const broken = new Tokenizer({ patience: longTimeoutMs, source: new URL('./no-such-thread.ts', import.meta.url) });
  const sum = broken.sumFor('gpt-4o');
  sum.add(['Hello']);
  expect(await sum.total()).toBeUndefined();
  const next = broken.sumFor('gpt-4o');
  next.add(['Hello']);
  expect(broken.isLoaded).toBe(false);
  expect(await next.total()).toBeUndefined();
});

test('cancels pending counts on close', async () => {
  const own = new Tokenizer();
  const sum = own.sumFor('gpt-4o');
  sum.add(['Hello']);
  const total = sum.total();
  await own.close();
  expect(await total).toBeUndefined();
  const late = own.sumFor('gpt-4o');
  late.add(['Hello']);
  expect(await late.total()).toBeUndefined();
  expect(own.isLoaded).toBe(false);
});
