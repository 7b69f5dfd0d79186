import { expect, test } from 'vitest';
import { formatTime, parseTime } from './format.ts';

const local = (...parts: [number, number, number, number?, number?, number?]) =>
  new Date(parts[0], parts[1] - 1, ...(parts.slice(2) as [number])).getTime() / 1000;

test.each([
  ['2027-01-02 03:04:05', local(2027, 1, 2, 3, 4, 5)],
  ['2027-01-02T03:04:05', local(2027, 1, 2, 3, 4, 5)],
  [' 2027-1-2  3:04 ', local(2027, 1, 2, 3, 4, 0)],
  ['2027/01/02', local(2027, 1, 2, 0, 0, 0)],
  ['2028-02-29', local(2028, 2, 29, 0, 0, 0)],
  ['2027-02-29', undefined],
  ['2027-13-01', undefined],
  ['2027-01-02 24:00:00', undefined],
  ['2027-01-02 03:60', undefined],
  ['1', undefined],
  ['soon', undefined],
  ['', undefined],
])('parses %j as %s', (text, seconds) => {
  expect(parseTime(text)).toBe(seconds);
});

test('[S9.8] formats seconds as local YYYY-MM-DD HH:mm:ss and parses them back', () => {
  expect(formatTime(local(2027, 1, 2, 3, 4, 5))).toBe('2027-01-02 03:04:05');
  for (const seconds of [0, 1, 951_782_400, 1_795_000_000, 4_102_444_799])
    expect(parseTime(formatTime(seconds))).toBe(seconds);
});
