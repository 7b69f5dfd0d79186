import { expect, test } from 'vitest';
import { percentOf, standingNow, standingOf, worstOf } from './status-words.ts';

test.each([
  [null, 'none'],
  [0, 'bad'],
  [0.899, 'bad'],
  [0.9, 'poor'],
  [0.989, 'poor'],
  [0.99, 'good'],
  [1, 'good'],
] as const)('%s is %s', (share, standing) => {
  expect(standingOf(share)).toBe(standing);
});

test('an hour that has nothing to tell yet leaves the word to the one before', () => {
  expect(standingNow({ hours: [1, 0.5, null] })).toBe('bad');
  expect(standingNow({ hours: [1, null, null] })).toBe('none');
  expect(standingNow({ hours: [] })).toBe('none');
});

test('what failed once is never called whole', () => {
  expect([percentOf(1), percentOf(0.9999), percentOf(0)]).toEqual(['100 %', '99.9 %', '0.0 %']);
});

test('the worst is the first of the lowest; nothing is no worst', () => {
  expect(worstOf([null, 1, 0.2, 0.2])).toBe(2);
  expect(worstOf([null, 0])).toBe(1);
  expect(worstOf([null])).toBeUndefined();
});
