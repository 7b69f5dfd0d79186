import { describe, expect, test } from 'vitest';
import { parseNumber } from './read-number.ts';

test.each([
  ['1500000', 1_500_000],
  ['1,500,000', 1_500_000],
  ['1.500.000', 1_500_000],
  ['1 500 000', 1_500_000],
  ['1\u202f500\u00a0000', 1_500_000],
  ['1_500_000', 1_500_000],
  ["1'500'000", 1_500_000],
  ['1,234.5', 1234.5],
  ['1.234,5', 1234.5],
  ['1,234,567.891', 1_234_567.891],
  ['12.5', 12.5],
  ['12,5', 12.5],
  ['.5', 0.5],
  ['0.125', 0.125],
  ['0,125', 0.125],
  ['1234.567', 1234.567],
  ['12.', 12],
  [' 7 ', 7],
])('reads %j as %d in every locale', (text, value) => {
  for (const locale of ['en-US', 'de-DE', 'zh-CN']) expect(parseNumber(text, locale)).toEqual({ value });
});

describe('three digits after one separator', () => {
  test('are read as thousands if the locale groups digits that way', () => {
    expect(parseNumber('1,500', 'en-US')).toEqual({ value: 1500 });
    expect(parseNumber('1.500', 'de-DE')).toEqual({ value: 1500 });
  });

  test('are rejected if they are ambiguous', () => {
    const either = { mistake: 'ambiguous', small: 1.5, large: 1500 };
    expect(parseNumber('1.500', 'en-US')).toEqual(either);
    expect(parseNumber('1,500', 'de-DE')).toEqual(either);
  });
});

test.each(['', 'ten', '-5', '1e5', '1,50,000', '1.500.00', '1.5.0', '1,234.5.6', '1.23,4', '.', '$5'])(
  'rejects %j',
  (text) => {
    expect(parseNumber(text, 'en-US')).toEqual({ mistake: 'unreadable' });
  },
);
