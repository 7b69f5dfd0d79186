import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { formatMoneyInput, formatUnambiguous, maxPoints, parseMoney } from './money-text.ts';

afterEach(() => void vi.restoreAllMocks());

test.each([
  ['1500000', 'points', 1_500_000],
  ['1,500,000', 'points', 1_500_000],
  ['1.500.000', 'points', 1_500_000],
  ['12.5', 'points', 12],
  ['5', 'dollars', 2_500_000],
  ['10', 'dollars', 5_000_000],
  ['$10', 'points', 5_000_000],
  ['$10', 'dollars', 5_000_000],
  ['2.50 $', 'points', 1_250_000],
  ['0.000002', 'dollars', 1],
  ['0', 'dollars', 0],
  ['', 'points', ''],
  [' ', 'dollars', ''],
] as const)('reads %j in %s as %s points', (text, unit, points) => {
  expect(parseMoney(text, unit, 500_000)).toEqual({ points, unit: text.includes('$') ? 'dollars' : unit });
});

test('[S5.29] rejects ambiguous, unreadable, negative, too large and too small input', () => {
  expect(parseMoney('1.500', 'dollars', 500_000)).toMatchObject({
    points: Number.NaN,
    mistake: { kind: 'ambiguous', small: 1.5, large: 1500 },
  });
  expect(parseMoney('ten', 'points', 500_000)).toMatchObject({ points: Number.NaN, mistake: { kind: 'unreadable' } });
  expect(parseMoney('-5', 'dollars', 500_000)).toMatchObject({ points: Number.NaN, mistake: { kind: 'unreadable' } });
  expect(parseMoney('9'.repeat(16), 'points', 500_000)).toMatchObject({ mistake: { kind: 'too much' } });
  expect(parseMoney('0.0000001', 'dollars', 500_000)).toMatchObject({ mistake: { kind: 'too little' } });
});

test.each([
  [1_500_000, 'points', '1,500,000'],
  [2_500_000, 'dollars', '5'],
  [6_250_000, 'dollars', '12.50'],
  [1_500_001, 'dollars', '3.000002'],
  [617_000, 'dollars', '1.2340'],
  [-750_000, 'dollars', '-1.50'],
  [Number.NaN, 'dollars', ''],
  ['', 'dollars', ''],
] as const)('formats %d points in %s as %j', (points, unit, text) => {
  expect(formatMoneyInput(points, unit, 500_000)).toBe(text);
});

test('lists the possible readings of an ambiguous amount in a form that can be typed', () => {
  expect([formatUnambiguous(1.5), formatUnambiguous(1.234), formatUnambiguous(1500)]).toEqual([
    '1.5',
    '1.2340',
    '1,500',
  ]);
});

const perUnits = fc.oneof(
  fc.constant(500_000),
  fc.integer({ min: 1, max: 1_000_000_000 }),
  fc.integer({ min: 1, max: 100_000 }).map((cents) => cents / 100),
);

test.each(['en-US', 'de-DE', 'fr-FR', 'zh-CN', 'en-IN'])(
  'keeps the points when a displayed amount is typed again in %s',
  (locale) => {
    vi.spyOn(navigator, 'language', 'get').mockReturnValue(locale);
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: 0, max: maxPoints }), fc.integer({ min: 0, max: 10_000_000 })),
        fc.constantFrom('points' as const, 'dollars' as const),
        perUnits,
        (points, unit, perUnit) => {
          const text = formatMoneyInput(points, unit, perUnit);
          expect(parseMoney(text, unit, perUnit), text).toEqual({ points, unit });
        },
      ),
      { numRuns: 300 },
    );
  },
);
