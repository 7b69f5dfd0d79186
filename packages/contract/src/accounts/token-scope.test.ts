import { expect, test } from 'vitest';
import { matchesPattern } from './token-scope.ts';

test.each([
  ['gpt-5', 'gpt-5'],
  ['gpt-5*', 'gpt-5'],
  ['gpt-5*', 'gpt-5-mini'],
  ['*', ''],
  ['*', 'anything'],
  ['*-mini', 'gpt-5-mini'],
  ['gpt-*-mini', 'gpt-5-mini'],
  ['a*a', 'aa'],
  ['a*b*c', 'abbbc'],
  ['**x**', 'x'],
  ['.*', '.x'],
])('pattern %s matches %s', (pattern, name) => {
  expect(matchesPattern(pattern, name)).toBe(true);
});

test.each([
  ['gpt-5', 'gpt-5-mini'],
  ['gpt-5*', 'xgpt-5'],
  ['gpt-5*', 'GPT-5'],
  ['*-mini', 'gpt-5-mini-x'],
  ['a*a', 'a'],
  ['ab*ba', 'aba'],
  ['a*b*c', 'acb'],
  ['.*', 'x'],
  ['[a-z]*', 'gpt'],
  ['', 'x'],
])('pattern %s does not match %s', (pattern, name) => {
  expect(matchesPattern(pattern, name)).toBe(false);
});

test('[A45.1] a pattern with thousands of wildcards is matched in linear time', () => {
  expect(matchesPattern(`${'*a'.repeat(9000)}b`, 'a'.repeat(20_000))).toBe(false);
});
