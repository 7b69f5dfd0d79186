import { expect, test } from 'vitest';
import { addRatio, parseRatios, removeRatio, setRatio } from './ratio-rows.ts';

test('adds, changes and removes rows by name, and keeps the others', () => {
  const text = '{"a": 1, "b": 2}';
  expect(parseRatios(addRatio(text, 'c'))).toEqual([
    ['c', 1],
    ['a', 1],
    ['b', 2],
  ]);
  expect(parseRatios(setRatio(text, 'b', 0.5))).toEqual([
    ['a', 1],
    ['b', 0.5],
  ]);
  expect(parseRatios(removeRatio(text, 'a'))).toEqual([['b', 2]]);
});

test.each(['{', '[1]', 'null', '{"a": "1"}', '3'])('rejects %s as a ratio table', (text) => {
  expect(parseRatios(text)).toBeUndefined();
});

test('reads empty text as an empty table', () => {
  expect(parseRatios(' ')).toEqual([]);
});
