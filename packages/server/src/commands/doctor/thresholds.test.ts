import { expect, test } from 'vitest';
import { closestMatch } from './closest-match.ts';
import { clockFinding } from './database-check.ts';
import { spaceFinding, speedFinding } from './disk-check.ts';
import { openFilesFinding } from './run-checks.ts';

const megabyte = 1024 ** 2;

test.each([
  ['fail', spaceFinding(31 * megabyte, true)],
  ['warn', spaceFinding(31 * megabyte, false)],
  ['warn', spaceFinding(32 * megabyte, true)],
  ['ok', spaceFinding(1024 * megabyte, true)],
  ['ok', speedFinding(20, true)],
  ['warn', speedFinding(20.1, true)],
  ['ok', speedFinding(500, false)],
  ['ok', clockFinding(0.9, 'PostgreSQL')],
  ['warn', clockFinding(1.1, 'PostgreSQL')],
  ['warn', clockFinding(-29, 'PostgreSQL')],
  ['fail', clockFinding(-30, 'PostgreSQL')],
  ['warn', openFilesFinding(1024)],
  ['ok', openFilesFinding(4096)],
  ['ok', openFilesFinding(Number.POSITIVE_INFINITY)],
])('the state is %s for the finding %j', (state, finding) => {
  expect(finding.state).toBe(state);
  expect(finding.action === undefined).toBe(state === 'ok');
});

test('a clock finding names the clock that is behind', () => {
  expect(clockFinding(2, 'PostgreSQL').message).toBe('this machine is 2.0 s behind PostgreSQL.');
  expect(clockFinding(-2, 'PostgreSQL').message).toBe('this machine is 2.0 s ahead of PostgreSQL.');
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
])('suggests the closest name for %j: %j', (given, meant) => {
  expect(closestMatch(given, ['start', 'passwd'])).toBe(meant);
});

test('a very long word is rejected without comparing it', () => {
  expect(closestMatch('s'.repeat(100_000_000), ['start', 'passwd'])).toBe(undefined);
});
