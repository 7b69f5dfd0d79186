import { expect, test } from 'vitest';
import { recordingTally } from '../testing/recording-tally.ts';
import type { TextTally } from './text-tally.ts';

function add(tally: TextTally, thread: string, text: string): void {
  const bytes = Buffer.from(text);
  tally.addBytes(thread, bytes, 0, bytes.length);
}

test('sends text to the tokenizer as it arrives, split at word boundaries, and counts all of it', async () => {
  const { given, tally } = recordingTally(1000);
  const text = 'All happy families are alike; 每个不幸的家庭各有各的不幸。 '.repeat(50);
  let received = 0;
  for (const character of text) {
    add(tally, '0', character);
    tally.deliver();
    received += character.length;
    // At most one batch is buffered.
    expect(received - given.join('').length).toBeLessThanOrEqual(1000);
  }
  expect(given.length).toBeGreaterThan(2);
  for (const batch of given) expect(batch).toMatch(/[\p{L}\p{N}]$/u);
  expect(await tally.total()).toBe(text.length);
  expect(given.join('')).toBe(text);
});

test('counts channels of text separately, and forwards a chunk longer than a batch immediately', async () => {
  const { given, tally } = recordingTally(100);
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

test('counts additional threads together when an upstream opens too many', async () => {
  const { given, tally } = recordingTally(100);
  let received = 0;
  for (let thread = 0; thread < 1000; thread += 1) {
    add(tally, String(thread), 'some words ');
    tally.deliver();
    received += 11;
    // Threads beyond the limit share one thread.
    expect(received - given.join('').length).toBeLessThan(256 * 11 + 512);
  }
  expect(await tally.total()).toBe(11_000);
});

test('count() includes undelivered content, total() does not', async () => {
  const { tally } = recordingTally(100);
  add(tally, '0', 'one two three');
  tally.deliver();
  add(tally, '0', ' four five');
  add(tally, '1', 'six');
  expect(await tally.count()).toBe('one two three four fivesix'.length);
  expect(await tally.count()).toBe('one two three four fivesix'.length);
  expect(await tally.total()).toBe('one two three'.length);
});

test('accepts more text after a count', async () => {
  const { tally } = recordingTally(100);
  add(tally, '0', 'one two');
  expect(await tally.count()).toBe(7);
  tally.deliver();
  add(tally, '0', ' three');
  tally.deliver();
  expect(await tally.count()).toBe(13);
  expect(await tally.total()).toBe(13);
});

test('buffers and counts nothing after drop()', async () => {
  const { given, tally } = recordingTally(100);
  add(tally, '0', 'word');
  tally.drop();
  add(tally, '0', 'word');
  tally.deliver();
  expect(await tally.total()).toBeUndefined();
  expect(await tally.count()).toBeUndefined();
  expect(given).toEqual([]);
});
