import { expect, test } from 'vitest';
import { includedTax } from './invoice.ts';

test.each([
  [1190, 19, { net: 1000, tax: 190 }],
  [1000, 19, { net: 840, tax: 160 }],
  [1000, 8.875, { net: 918, tax: 82 }],
  [1, 19, { net: 1, tax: 0 }],
  [3, 100, { net: 1, tax: 2 }],
  [990, 0, { net: 990, tax: 0 }],
])('a price of %d with %d%% tax contains %o', (price, rate, expected) => {
  expect(includedTax(price, rate)).toEqual(expected);
});

test('net and tax are integers that add up, and the tax is at most half a unit off', () => {
  const prices = [...Array.from({ length: 300 }, (_, index) => index), 999_999_937, 1_000_000_000];
  for (const price of prices)
    for (const rate of [0, 0.01, 5.5, 7, 7.7, 8.875, 19, 33.33, 99.99, 100]) {
      const { net, tax } = includedTax(price, rate);
      expect([Number.isInteger(net), Number.isInteger(tax), net + tax]).toEqual([true, true, price]);
      expect(Math.abs(tax - (price * rate) / (100 + rate))).toBeLessThanOrEqual(0.5 + 1e-6);
    }
});
