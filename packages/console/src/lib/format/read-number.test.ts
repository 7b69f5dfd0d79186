import { describe, expect, test } from 'vitest';
import { readNumber } from './read-number.ts';

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
])('%j is %d wherever the reader is', (text, value) => {
  for (const locale of ['en-US', 'de-DE', 'zh-CN']) expect(readNumber(text, locale)).toEqual({ value });
});

describe('three digits behind one sign', () => {
  test('are thousands where the reader’s place writes them so', () => {
    expect(readNumber('1,500', 'en-US')).toEqual({ value: 1500 });
    expect(readNumber('1.500', 'de-DE')).toEqual({ value: 1500 });
  });

  test('are refused where they may be either', () => {
    const either = { mistake: 'ambiguous', small: 1.5, large: 1500 };
    expect(readNumber('1.500', 'en-US')).toEqual(either);
    expect(readNumber('1,500', 'de-DE')).toEqual(either);
  });
});

test.each(['', 'ten', '-5', '1e5', '1,50,000', '1.500.00', '1.5.0', '1,234.5.6', '1.23,4', '.', '$5'])(
  '%j is no number',
  (text) => {
    expect(readNumber(text, 'en-US')).toEqual({ mistake: 'unreadable' });
  },
);
