import { expect, test } from 'vitest';
import { addRatio, ratiosOf, removeRatio, setRatio } from './ratio-rows.ts';

test('rows are added, changed and removed by name, the rest stays', () => {
  const text = '{"a": 1, "b": 2}';
  expect(ratiosOf(addRatio(text, 'c'))).toEqual([
    ['c', 1],
    ['a', 1],
    ['b', 2],
  ]);
  expect(ratiosOf(setRatio(text, 'b', 0.5))).toEqual([
    ['a', 1],
    ['b', 0.5],
  ]);
  expect(ratiosOf(removeRatio(text, 'a'))).toEqual([['b', 2]]);
});

test.each(['{', '[1]', 'null', '{"a": "1"}', '3'])('%s is no table of ratios', (text) => {
  expect(ratiosOf(text)).toBeUndefined();
});

test('an empty box is an empty table', () => {
  expect(ratiosOf(' ')).toEqual([]);
});
