import { expect, test } from 'vitest';
import { readFailureRule } from './failure-rule.ts';

test.each([
  ['1 of 1', { failures: 1, requests: 1 }],
  [' 3  of 5 ', { failures: 3, requests: 5 }],
  ['100 of 100', { failures: 100, requests: 100 }],
  ['3 in 10', { failures: 3, seconds: 10 }],
  ['3 in 10s', { failures: 3, seconds: 10 }],
  ['3 in 10m', { failures: 3, seconds: 600 }],
  ['3 in 24h', { failures: 3, seconds: 86_400 }],
  ['0', undefined],
])('accepts the failure rule %s', (text, rule) => {
  expect(readFailureRule(text)).toEqual(rule);
});

test.each(
  [
    [
      '',
      '1',
      '-1',
      '00',
      'of',
      '3 of',
      '0 of 5',
      '6 of 5',
      '101 of 200',
      '3 of 101',
      '3 of 5m',
      '3 of 5.5',
      '1e1 of 50',
    ],
    [
      '3 in 0',
      '3 in 0m',
      '3 in 25h',
      '3 in 86401',
      '3 in 99999h',
      '3 in 5d',
      '0 in 5',
      '3 IN 5',
      '３ of 5',
      '3 of 5 of 6',
    ],
  ].flat(),
)('rejects the failure rule “%s”', (text) => {
  expect(readFailureRule(text)).toBeNull();
});
