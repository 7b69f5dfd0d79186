import { expect, test } from 'vitest';
import { readQuota, writeQuota } from './quota-text.ts';

test.each([
  ['1500000', 'points', 1_500_000],
  ['1,500,000', 'points', 1_500_000],
  ['1.500.000', 'points', 1_500_000],
  ['12.5', 'points', 12],
  ['10', 'dollars', 5_000_000],
  ['$10', 'points', 5_000_000],
  ['2.50 $', 'points', 1_250_000],
  ['0.000002', 'dollars', 1],
  ['', 'points', ''],
  [' ', 'dollars', ''],
] as const)('reads %j in %s as %s points', (text, unit, points) => {
  expect(readQuota(text, unit, 500_000)).toEqual({ points, unit: text.includes('$') ? 'dollars' : unit });
});

test('[S5.29] rejects ambiguous, unreadable and too large input', () => {
  expect(readQuota('1.500', 'dollars', 500_000)).toMatchObject({
    points: Number.NaN,
    mistake: { kind: 'ambiguous', small: 1.5, large: 1500 },
  });
  expect(readQuota('ten', 'points', 500_000)).toMatchObject({ points: Number.NaN, mistake: { kind: 'unreadable' } });
  expect(readQuota('9'.repeat(16), 'points', 500_000)).toMatchObject({ mistake: { kind: 'too much' } });
});

test('formats points in either unit', () => {
  expect(writeQuota(1_500_000, 'points', 500_000)).toBe('1,500,000');
  expect(writeQuota(1_500_001, 'dollars', 500_000)).toBe('3.000002');
  expect(writeQuota('', 'dollars', 500_000)).toBe('');
});
