import { readFailureRule } from '@headgate/contract';
import { expect, test } from 'vitest';
import { FailureCounter } from './failure-monitor.ts';

function judge(rule: string) {
  let now = 1000;
  const made = new FailureCounter(
    () => readFailureRule(rule) ?? undefined,
    () => now,
  );
  const fail = (subject = 'a', channel = 1) => made.failed({ channel, subject, kind: 'overloaded' });
  return {
    made,
    fail,
    succeed: (subject = 'a', channel = 1) => made.succeeded(channel, subject),
    pass: (by: number) => (now += by),
  };
}

test('rule "N of the last M requests" is met by the Nth failure among the last M', () => {
  const { fail, succeed } = judge('3 of 5');
  expect([fail(), fail()]).toEqual([false, false]);
  for (let count = 0; count < 3; count += 1) succeed();
  // The first of the two failures is now sixth from the end.
  expect([fail(), fail(), fail()]).toEqual([false, false, true]);
});

test('rule "N within a time" ignores failures before that time', () => {
  const { fail, succeed, pass } = judge('3 in 1m');
  expect([fail(), fail()]).toEqual([false, false]);
  succeed();
  pass(61);
  expect([fail(), fail()]).toEqual([false, false]);
  pass(30);
  expect(fail()).toBe(true);
});

test('rule "never" is never met', () => {
  const { fail } = judge('0');
  for (let count = 0; count < 200; count += 1) expect(fail()).toBe(false);
});

test('counts each model and channel separately, and each failure kind separately', () => {
  const { made, fail } = judge('2 of 2');
  expect([fail('a'), fail('b'), fail('a', 2)]).toEqual([false, false, false]);
  expect(made.failed({ channel: 1, subject: 'a', kind: 'model_gone' })).toBe(false);
  expect([fail('a'), fail('b'), fail('a', 2)]).toEqual([false, true, true]);
});

test('failures of other models count only while nothing on the channel succeeds', () => {
  const { made, fail, succeed, pass } = judge('2 of 2');
  fail('b');
  pass(1);
  fail('a');
  expect(made.othersFailing(1, 'a')).toEqual(['b']);
  pass(1);
  succeed('c');
  expect(made.othersFailing(1, 'a')).toEqual([]);
  pass(1);
  succeed('a');
  fail('a');
  expect(made.othersFailing(1, 'a')).toEqual([]);
});

test('[A44.1] memory is bounded for any number of models, channels and failures', () => {
  const { made, fail, succeed } = judge('100 of 100');
  for (let channel = 0; channel < 50_000; channel += 1) fail(`model-${channel % 7}`, channel);
  expect(succeed('model-0', 0)).toBe(false);
  expect(succeed(`model-${49_999 % 7}`, 49_999)).toBe(true);
  // A loop with this count would never end.
  expect(made.failed({ channel: 7, subject: 'a', kind: 'overloaded' }, Number.MAX_SAFE_INTEGER)).toBe(true);
});
