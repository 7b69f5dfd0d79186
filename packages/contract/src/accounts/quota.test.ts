import { describe, expect, test } from 'vitest';
import { formatQuota, shortenNumber, truncateName } from './quota.ts';

describe('shortenNumber', () => {
  test.each([
    [0, '0'],
    [1, '1'],
    [9999, '9999'],
    [10_000, '10000'],
    [-10_000, '-10000'],
  ])('[S9.15] does not shorten %d: %s', (value, text) => {
    expect(shortenNumber(value)).toBe(text);
  });

  test.each([
    [10_001, '10.0k'],
    [10_050, '10.1k'],
    [123_456, '123.5k'],
    [999_900, '999.9k'],
    [999_999, '1000.0k'],
    [1_000_000, '1000.0k'],
    [-10_001, '-10.0k'],
    [-1_000_000, '-1000.0k'],
  ])('[S9.12] shortens %d to %s', (value, text) => {
    expect(shortenNumber(value)).toBe(text);
  });

  test.each([
    [1_000_001, '1.0M'],
    [1_500_000, '1.5M'],
    [999_900_000, '999.9M'],
    [1_000_000_000, '1000.0M'],
    [-1_000_001, '-1.0M'],
    [-1_000_000_000, '-1000.0M'],
  ])('[S9.13] shortens %d to %s', (value, text) => {
    expect(shortenNumber(value)).toBe(text);
  });

  test.each([
    [1_000_000_001, '1.0B'],
    [2_000_000_000, '2.0B'],
    [500_000_000_000_000, '500000.0B'],
    [-1_000_000_001, '-1.0B'],
  ])('[S9.14] shortens %d to %s', (value, text) => {
    expect(shortenNumber(value)).toBe(text);
  });
});

describe('[S9.16] formatQuota with currency display', () => {
  const display = { display_in_currency: true, quota_per_unit: 500_000 };

  test.each([
    [0, '$0.00'],
    [500_000, '$1.00'],
    [500_000_000, '$1000.00'],
    [1250, '$0.00'],
    [2500, '$0.01'],
    [123_456, '$0.25'],
    [-500_000, '-$1.00'],
  ])('formats %d as %s', (quota, text) => {
    expect(formatQuota(quota, display)).toBe(text);
  });

  test('omits the minus sign when the amount rounds to zero', () => {
    expect(formatQuota(-1, display)).toBe('$0.00');
    expect(formatQuota(-0, display)).toBe('$0.00');
  });

  test('uses more digits when requested', () => {
    expect(formatQuota(1, display, 6)).toBe('$0.000002');
    expect(formatQuota(-1, display, 6)).toBe('-$0.000002');
  });

  test('applies the exchange rate', () => {
    expect(formatQuota(100, { display_in_currency: true, quota_per_unit: 100 })).toBe('$1.00');
  });

  test('returns points when currency display is off', () => {
    expect(formatQuota(500_000, { display_in_currency: false, quota_per_unit: 500_000 })).toBe('500.0k');
  });
});

describe('[S9.11] truncateName', () => {
  test.each([
    ['', ''],
    ['root', 'root'],
    ['fifteen letters', 'fifteen letters'],
    ['sixteen letters!', 'sixteen letter…'],
    ['一二三四五六七八九十一二三四五六', '一二三四五六七八九十一二三四…'],
  ])('truncates %j to %j', (name, shown) => {
    expect(truncateName(name)).toBe(shown);
    expect([...shown].length).toBeLessThanOrEqual(15);
  });

  test('does not split a surrogate pair or other multi-unit character', () => {
    expect(truncateName('😀'.repeat(15))).toBe('😀'.repeat(15));
    expect(truncateName('😀'.repeat(16))).toBe(`${'😀'.repeat(14)}…`);
  });

  test('truncates to the requested length', () => {
    expect(truncateName('abcdef', 4)).toBe('abc…');
  });
});
