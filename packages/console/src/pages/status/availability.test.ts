import { expect, test } from 'vitest';
import { availabilityOf, currentAvailability, formatPercent, worstIndex } from './availability.ts';

test.each([
  [null, 'none'],
  [0, 'bad'],
  [0.899, 'bad'],
  [0.9, 'poor'],
  [0.989, 'poor'],
  [0.99, 'good'],
  [1, 'good'],
] as const)('rates %s as %s', (share, availability) => {
  expect(availabilityOf(share)).toBe(availability);
});

test('uses the previous hour if the current one has no data', () => {
  expect(currentAvailability({ hours: [1, 0.5, null] })).toBe('bad');
  expect(currentAvailability({ hours: [1, null, null] })).toBe('none');
  expect(currentAvailability({ hours: [] })).toBe('none');
});

test('never rounds up to 100%', () => {
  expect([formatPercent(1), formatPercent(0.9999), formatPercent(0)]).toEqual(['100%', '99.9%', '0.0%']);
});

test('returns the first of the lowest values, and undefined without data', () => {
  expect(worstIndex([null, 1, 0.2, 0.2])).toBe(2);
  expect(worstIndex([null, 0])).toBe(1);
  expect(worstIndex([null])).toBeUndefined();
});
