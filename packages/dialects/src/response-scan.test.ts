import { expect, test } from 'vitest';
import { FieldSearch } from './response-scan.ts';

const usageField = new FieldSearch('"usage":', 'usage":');

test.each([
  ['{"usage":1}', 9, 9],
  ['{"usage":1,"x":{"usage":2}}', 9, 24],
  ['{"x_usage":1}', -1, -1],
  ['{"x_usage":1,"usage":2}', 21, 21],
  ['{"usage":1,"x_usage":2}', 9, 9],
  ['usage":1', -1, -1],
  ['{}', -1, -1],
])('finds the field in %s: first match ends at %i, last match at %i', (line, first, last) => {
  expect([usageField.after(line), usageField.afterLast(line)]).toEqual([first, last]);
});

test('throws if the rare part is not at the end of the name', () => {
  expect(() => new FieldSearch('"usage":', 'error":')).toThrow('not the end');
});
