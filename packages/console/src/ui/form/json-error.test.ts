import { expect, test } from 'vitest';
import { findJsonError } from './json-error.ts';

test.each([
  ['', undefined],
  ['  \n ', undefined],
  ['{"a": 1}', undefined],
  ['{\n  "a": 1,\n  "b": oops\n}', 3],
  ['{\n  "a": 1\n  "b": 2\n}', 3],
  ['{\n  "a": 1,\n', 3],
  ["{'a': 1}", 1],
  ['{\n  "a": {\n    "b": [1, 2,]\n  }\n}', 3],
  ['{\n  "a": 1,\n}', 3],
  ['{\n  "a" 1\n}', 2],
  ['{\n  "a": "no end\n}', 2],
  ['{\n  "a": 1\n}\n]', 4],
  ['[1,\n 2}', 2],
  ['{\n "a": 01\n}', 2],
])('reports the error in %j on line %s', (text, line) => {
  expect(findJsonError(text)?.line).toBe(line);
});
