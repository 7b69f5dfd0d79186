import { describe, expect, test } from 'vitest';
import { formatDecimals, formatMoney, formatNumber, formatPrice, formatQuota } from './format.ts';

describe('number formatting', () => {
  test.each([
    [0, '0'],
    [1_234_567, '1,234,567'],
    [0.5, '0.5'],
    [1234.5678912, '1,234.567891'],
    [0.000002, '0.000002'],
    [0.000000123, '0.00000012'],
    [-0.0000004, '-0.0000004'],
  ])('formats %d as %s', (value, text) => {
    expect(formatNumber(value)).toBe(text);
  });

  test("formats numbers in the browser's locale", () => {
    expect(formatNumber(1_234_567.5, 'de-DE')).toBe('1.234.567,5');
    expect(formatDecimals(1234.5, 2, 'de-DE')).toBe('1.234,50');
    expect(formatMoney(1234.5, 2, '$', 'de-DE')).toBe('$1.234,50');
    expect(formatNumber(1234, 'zh-CN')).toBe('1,234');
  });
});

describe('[S9.16] quota in currency', () => {
  const display = { display_in_currency: true, quota_per_unit: 500_000 };

  test.each([
    [0, '$0.00'],
    [-0, '$0.00'],
    [500_000, '$1.00'],
    [2500, '$0.01'],
    [123_456, '$0.25'],
    [-500_000, '-$1.00'],
    [500_000_000, '$1,000.00'],
    [2_040_000_000_000, '$4,080,000.00'],
  ])('formats %d points with two decimals: %s', (quota, text) => {
    expect(formatQuota(quota, display)).toBe(text);
  });

  test.each([
    [1250, '$0.0025'],
    [1, '$0.000002'],
    [-1, '-$0.000002'],
    [1234, '$0.0025'],
  ])('does not round %d points to zero: %s', (quota, text) => {
    expect(formatQuota(quota, display)).toBe(text);
  });

  test('shows six decimals on request', () => {
    expect(formatQuota(1, display, 6)).toBe('$0.000002');
    expect(formatQuota(900, display, 6)).toBe('$0.001800');
    expect(formatQuota(0, display, 6)).toBe('$0.000000');
  });

  test('uses the configured points per dollar', () => {
    expect(formatQuota(100, { display_in_currency: true, quota_per_unit: 100 })).toBe('$1.00');
  });
});

test.each([
  [10_000, '10000'],
  [10_001, '10.0k'],
  [12_345, '12.3k'],
  [1_500_000, '1.5M'],
  [2_000_000_000, '2.0B'],
])('[S9.12 S9.13 S9.14 S9.15] formats %d points as %s when currency display is off', (quota, text) => {
  expect(formatQuota(quota, { display_in_currency: false, quota_per_unit: 500_000 })).toBe(text);
});

test.each([
  [0, '$0.00'],
  [5, '$5.00'],
  [1234.567, '$1,234.57'],
  [0.1, '$0.10'],
  [0.0375, '$0.0375'],
  [0.00000125, '$0.00000125'],
  [-0.5, '-$0.50'],
])('formats a price of %d as %s', (amount, text) => {
  expect(formatPrice(amount)).toBe(text);
});
