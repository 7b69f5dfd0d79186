import { expect, test } from 'vitest';
import { rowsByHeight } from './rows-by-height.ts';

test('fits the number of rows to the window, in steps of five', () => {
  expect([720, 800, 900, 1080, 1440].map((height) => rowsByHeight(height, 40))).toEqual([10, 10, 15, 20, 25]);
  expect([800, 1080, 1440].map((height) => rowsByHeight(height, 32))).toEqual([15, 25, 35]);
});

test("uses the default page size in a short window, and never more than the server's maximum", () => {
  expect(rowsByHeight(300, 40)).toBe(10);
  expect(rowsByHeight(0, 40)).toBe(10);
  expect(rowsByHeight(20_000, 32)).toBe(100);
});
