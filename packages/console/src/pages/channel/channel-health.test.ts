import { type Channel, channel } from '@headgate/contract';
import { expect, test } from 'vitest';
import { describeFailure, lastFailure, lastTestColor, statusColor } from './channel-health.ts';

const plain: Channel = channel.parse({
  ...{ id: 1, type: 1, key: '', status: 1, name: 'x', created_time: 0, test_time: 0, response_time: 0, balance: 0 },
  ...{ balance_updated_time: 0, models: '', group: '', used_quota: 0 },
});
const tested: Partial<Channel> = {
  is_failing: true,
  test_time: 100,
  test_reason: 'key_rejected',
  test_message: 'Incorrect API key',
  test_status: 401,
};
const keyRejected: Partial<Channel> = {
  is_failing: true,
  failure_time: 200,
  failure_reason: 'rate_limited',
  failure_message: 'Slow down',
  failure_status: 429,
  failure_count: 3,
};

const same = (text: string) => text;
const failureOf = (changes: Partial<Channel>) => {
  const failure = lastFailure({ ...plain, ...changes });
  return failure && describeFailure(failure, same);
};

test('shows the more recent failure with the upstream’s status and message', () => {
  expect(failureOf({})).toBeUndefined();
  expect(failureOf(tested)).toBe('401 Incorrect API key');
  expect(failureOf({ ...tested, ...keyRejected })).toBe('429 Slow down');
  expect(failureOf({ ...tested, ...keyRejected, test_time: 300 })).toBe('401 Incorrect API key');
  expect(failureOf({ ...tested, test_message: '', test_status: 0 })).toBe('Key rejected');
  // A failed test is outdated once requests succeed again.
  expect(failureOf({ ...tested, is_failing: false })).toBeUndefined();
});

test.each<[string, Partial<Channel>]>([
  ['green', {}],
  ['green', { response_time: 300, test_time: 100 }],
  ['yellow', { paused_models: ['gpt-4o'] }],
  ['red', tested],
  ['red', keyRejected],
  ['yellow', { ...keyRejected, cooldown_seconds: 12 }],
  ['red', { ...tested, cooldown_seconds: 12 }],
  ['red', { status: 3 }],
  ['gray', { ...tested, status: 2 }],
  ['gray', { status: 9 }],
])('shows a %s dot for %j', (color, changes) => {
  expect(statusColor({ ...plain, ...changes })).toBe(color);
});

test.each<[string, Partial<Channel>]>([
  ['gray', {}],
  ['green', { response_time: 300 }],
  ['red', tested],
  ['gray', { ...keyRejected, response_time: 300 }],
])('shows the last test time in %s for %j', (color, changes) => {
  expect(lastTestColor({ ...plain, ...changes })).toBe(color);
});
