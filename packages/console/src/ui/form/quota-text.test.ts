import { expect, test } from 'vitest';
import { formatQuotaInput, parseQuota } from './quota-text.ts';

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
  expect(parseQuota(text, unit, 500_000)).toEqual({ points, unit: text.includes('$') ? 'dollars' : unit });
});

test('[S5.29] rejects ambiguous, unreadable and too large input', () => {
  expect(parseQuota('1.500', 'dollars', 500_000)).toMatchObject({
    points: Number.NaN,
    mistake: { kind: 'ambiguous', small: 1.5, large: 1500 },
  });
  expect(parseQuota('ten', 'points', 500_000)).toMatchObject({ points: Number.NaN, mistake: { kind: 'unreadable' } });
  expect(parseQuota('9'.repeat(16), 'points', 500_000)).toMatchObject({ mistake: { kind: 'too much' } });
});

test('formats points in either unit', () => {
  expect(formatQuotaInput(1_500_000, 'points', 500_000)).toBe('1,500,000');
  expect(formatQuotaInput(1_500_001, 'dollars', 500_000)).toBe('3.000002');
  expect(formatQuotaInput('', 'dollars', 500_000)).toBe('');
});
