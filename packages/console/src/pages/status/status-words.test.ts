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
] as const)('rates %s as %s', (share, standing) => {
  expect(standingOf(share)).toBe(standing);
});

test('falls back to the previous hour if the current one has no data', () => {
  expect(standingNow({ hours: [1, 0.5, null] })).toBe('bad');
  expect(standingNow({ hours: [1, null, null] })).toBe('none');
  expect(standingNow({ hours: [] })).toBe('none');
});

test('never rounds up to 100 %', () => {
  expect([percentOf(1), percentOf(0.9999), percentOf(0)]).toEqual(['100 %', '99.9 %', '0.0 %']);
});

test('finds the first lowest share; none without data', () => {
  expect(worstOf([null, 1, 0.2, 0.2])).toBe(2);
  expect(worstOf([null, 0])).toBe(1);
  expect(worstOf([null])).toBeUndefined();
});
