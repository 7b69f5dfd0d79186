import { expect, it } from 'vitest';
import { columnDecimals, priceColumnDecimals } from './column-decimals.ts';

it('shows the amounts of a column with the decimals of its smallest amount, but at least two', () => {
  expect(columnDecimals([12.5, 0, 3])).toBe(2);
  expect(columnDecimals([1.37, -0.0016])).toBe(3);
  expect(columnDecimals([1.51, 0.0099])).toBe(2);
  expect(columnDecimals([0.000_000_1])).toBe(6);
  expect(columnDecimals([])).toBe(2);
});

it('shows the prices of a column with the decimals of its most exact price, but at least two', () => {
  expect(priceColumnDecimals([15, 2.5])).toBe(2);
  expect(priceColumnDecimals([15, 0.075])).toBe(3);
  expect(priceColumnDecimals([1 / 3])).toBe(4);
});
