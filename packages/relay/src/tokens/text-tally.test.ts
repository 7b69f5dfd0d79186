import { expect, test } from 'vitest';
import { notingTally } from '../testing/noted-texts.ts';
import type { TextTally } from './text-tally.ts';

function add(tally: TextTally, thread: string, text: string): void {
  const bytes = Buffer.from(text);
  tally.addBytes(thread, bytes, 0, bytes.length);
}

test('text is handed on as it comes, at ends of words, and all of it is counted', async () => {
  const { given, tally } = notingTally(1000);
  const text = 'All happy families are alike; 每个不幸的家庭各有各的不幸。 '.repeat(50);
  let heard = 0;
  for (const character of text) {
    add(tally, '0', character);
    tally.deliver();
    heard += character.length;
    // No more is kept than a batch has bytes.
    expect(heard - given.join('').length).toBeLessThanOrEqual(1000);
  }
  expect(given.length).toBeGreaterThan(2);
  for (const batch of given) expect(batch).toMatch(/[\p{L}\p{N}]$/u);
  expect(await tally.total()).toBe(text.length);
  expect(given.join('')).toBe(text);
});

test('threads do not mix, and a piece that is longer than a batch is handed on at once', async () => {
  const { given, tally } = notingTally(100);
  add(tally, '0', 'one ');
  add(tally, '1', 'un ');
  add(tally, '0', 'two');
  add(tally, '1', 'deux');
  tally.deliver();
  expect(given).toEqual([]);
  add(tally, '2', 'many words '.repeat(100));
  tally.deliver();
  expect(given.join('').length).toBeGreaterThan(1000);
  expect(await tally.total()).toBe('one twoun deux'.length + 1100);
  expect(given).toEqual(expect.arrayContaining(['one two', 'un deux']));
});

test('an upstream that opens ever new threads has them counted together', async () => {
  const { given, tally } = notingTally(100);
  let heard = 0;
  for (let thread = 0; thread < 1000; thread += 1) {
    add(tally, String(thread), 'some words ');
    tally.deliver();
    heard += 11;
    // Ever new ones share a thread.
    expect(heard - given.join('').length).toBeLessThan(256 * 11 + 512);
  }
  expect(await tally.total()).toBe(11_000);
});

test('what was not delivered is counted when it is asked for, and not in the end', async () => {
  const { tally } = notingTally(100);
  add(tally, '0', 'one two three');
  tally.deliver();
  add(tally, '0', ' four five');
  add(tally, '1', 'six');
  expect(await tally.count()).toBe('one two three four fivesix'.length);
  expect(await tally.count()).toBe('one two three four fivesix'.length);
  expect(await tally.total()).toBe('one two three'.length);
});

test('a stream goes on after it was counted', async () => {
  const { tally } = notingTally(100);
  add(tally, '0', 'one two');
  expect(await tally.count()).toBe(7);
  tally.deliver();
  add(tally, '0', ' three');
  tally.deliver();
  expect(await tally.count()).toBe(13);
  expect(await tally.total()).toBe(13);
});

test('what nobody wants to know is neither kept nor counted', async () => {
  const { given, tally } = notingTally(100);
  add(tally, '0', 'word');
  tally.drop();
  add(tally, '0', 'word');
  tally.deliver();
  expect(await tally.total()).toBeUndefined();
  expect(await tally.count()).toBeUndefined();
  expect(given).toEqual([]);
});
