import { expect, test } from 'vitest';
import { TextTally } from './text-tally.ts';
import { TokenSum } from './token-sum.ts';

/** A sum that notes what it is given, and counts characters. */
function listener() {
  const given: string[] = [];
  const sum = new TokenSum(
    (texts, { settle }) => {
      given.push(...texts);
      queueMicrotask(() => settle(texts.join('').length));
      return given.length;
    },
    () => undefined,
    1000,
  );
  return { given, sum };
}

test('text is handed on as it comes, at ends of words, and all of it is counted', async () => {
  const { given, sum } = listener();
  const tally = new TextTally(sum, 100);
  const text = 'All happy families are alike; 每个不幸的家庭各有各的不幸。 '.repeat(50);
  let heard = 0;
  for (const character of text) {
    tally.add({ strand: '0', text: character });
    heard += character.length;
    // No more is kept than a batch has bytes.
    expect(heard - given.join('').length).toBeLessThanOrEqual(100);
  }
  expect(given.length).toBeGreaterThan(20);
  for (const batch of given) expect(batch).toMatch(/[\p{L}\p{N}]$/u);
  expect(await tally.total()).toBe(text.length);
  expect(given.join('')).toBe(text);
});

test('strands do not mix, and a piece that is longer than a batch is handed on at once', async () => {
  const { given, sum } = listener();
  const tally = new TextTally(sum, 100);
  tally.add({ strand: '0', text: 'one ' });
  tally.add({ strand: '1', text: 'un ' });
  tally.add({ strand: '0', text: 'two' });
  tally.add({ strand: '1', text: 'deux' });
  tally.add({ strand: '2', text: 'many words '.repeat(100) });
  expect(given.join('').length).toBeGreaterThan(1000);
  expect(await tally.total()).toBe('one twoun deux'.length + 1100);
  expect(given).toEqual(expect.arrayContaining(['one two', 'un deux']));
});

test('an upstream that opens ever new strands has them counted together', async () => {
  const { given, sum } = listener();
  const tally = new TextTally(sum, 100);
  for (let strand = 0; strand < 1000; strand += 1) tally.add({ strand: String(strand), text: 'word ' });
  expect(await tally.total()).toBe(5000);
  expect(given.length).toBeLessThan(300);
});

test('what nobody wants to know is neither kept nor counted', async () => {
  const { given, sum } = listener();
  const tally = new TextTally(sum, 100);
  tally.add({ strand: '0', text: 'word' });
  tally.drop();
  tally.add({ strand: '0', text: 'word' });
  expect(await tally.total()).toBeUndefined();
  expect(given).toEqual([]);
});
