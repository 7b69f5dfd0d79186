import { expect, test } from 'vitest';
import { readRetryAfter } from './limit-headers.ts';

const now = Date.parse('1994-11-06T08:49:00Z');

test.each([
  ['0', 0],
  ['120', 120],
  ['1.2', 2],
  ['999999', 999_999],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 37],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 37],
  ['Sun Nov  6 08:49:37 1994', 37],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 999_999],
])('reads a Retry-After of %s', (reported, seconds) => {
  expect(readRetryAfter({ 'retry-after': reported }, now)).toBe(seconds);
});

test.each([
  '',
  '-1',
  '1e9',
  'NaN',
  '9'.repeat(7),
  '1994-11-06T08:49:37Z',
  'Sun, 06 Nov 1994 08:49:37 PST',
  'Sun, 99 Abc 1994 08:49:37 GMT',
  'tomorrow',
  'Sun, 06 Nov 1994 08:48:00 GMT',
  'Sun, 06 Nov 1994 08:49:37 GMT, 5',
])('ignores a Retry-After of %j', (reported) => {
  expect(readRetryAfter({ 'retry-after': reported }, now)).toBeUndefined();
});

test('ignores a repeated and a missing header', () => {
  expect(readRetryAfter({ 'retry-after': ['1', '2'] }, now)).toBeUndefined();
  expect(readRetryAfter({}, now)).toBeUndefined();
});

test("reads a date relative to the sender's clock", () => {
  const headers = { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT', date: 'Sun, 06 Nov 1994 08:49:35 GMT' };
  expect(readRetryAfter(headers, now)).toBe(2);
  expect(readRetryAfter({ ...headers, date: 'yesterday' }, now)).toBe(37);
});
