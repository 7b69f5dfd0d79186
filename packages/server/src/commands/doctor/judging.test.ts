import { expect, test } from 'vitest';
import { closestWord } from './closest-word.ts';
import { judgeClock } from './database-check.ts';
import { judgeSpace, judgeSpeed } from './disk-check.ts';
import { judgeOpenFiles } from './process-check.ts';

const megabyte = 1024 ** 2;

test.each([
  ['fail', judgeSpace(31 * megabyte, true)],
  ['warn', judgeSpace(31 * megabyte, false)],
  ['warn', judgeSpace(32 * megabyte, true)],
  ['ok', judgeSpace(1024 * megabyte, true)],
  ['ok', judgeSpeed(20, true)],
  ['warn', judgeSpeed(20.1, true)],
  ['ok', judgeSpeed(500, false)],
  ['ok', judgeClock(0.9, 'PostgreSQL')],
  ['warn', judgeClock(1.1, 'PostgreSQL')],
  ['warn', judgeClock(-29, 'PostgreSQL')],
  ['fail', judgeClock(-30, 'PostgreSQL')],
  ['warn', judgeOpenFiles(1024)],
  ['ok', judgeOpenFiles(4096)],
  ['ok', judgeOpenFiles(Number.POSITIVE_INFINITY)],
])('%s: %j', (state, finding) => {
  expect(finding.state).toBe(state);
  expect(finding.todo === undefined).toBe(state === 'ok');
});

test('names the clock that is behind', () => {
  expect(judgeClock(2, 'PostgreSQL').says).toBe('this machine is 2.0 s behind PostgreSQL.');
  expect(judgeClock(-2, 'PostgreSQL').says).toBe('this machine is 2.0 s ahead of PostgreSQL.');
});

test.each([
  ['strat', 'start'],
  ['statr', 'start'],
  ['sart', 'start'],
  ['passwrd', 'passwd'],
  ['password', 'passwd'],
  ['start', 'start'],
  ['export', undefined],
  ['stone', undefined],
  ['', undefined],
])('suggests for %j: %j', (given, meant) => {
  expect(closestWord(given, ['start', 'passwd'])).toBe(meant);
});

test('a word of any length is rejected immediately', () => {
  expect(closestWord('s'.repeat(100_000_000), ['start', 'passwd'])).toBe(undefined);
});
