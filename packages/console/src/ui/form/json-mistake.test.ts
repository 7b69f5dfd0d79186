import { expect, test } from 'vitest';
import { jsonMistake } from './json-mistake.ts';

test.each([
  ['', undefined],
  ['  \n ', undefined],
  ['{"a": 1}', undefined],
  ['{\n  "a": 1,\n  "b": oops\n}', 3],
  ['{\n  "a": 1\n  "b": 2\n}', 3],
  ['{\n  "a": 1,\n', 3],
  ["{'a': 1}", 1],
])('%j: the mistake is on line %s', (text, line) => {
  expect(jsonMistake(text)?.line).toBe(line);
});
