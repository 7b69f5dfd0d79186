import type { FailureCount, LogReason } from '@headgate/contract';
import { expect, test } from 'vitest';
import { failingChannels, logSearchOf, rangeOf } from './failure-groups.ts';

const count = (channel: number, reason: LogReason | '', rows: number): FailureCount => ({
  ...{ channel, channel_name: `c${channel}`, reason, status: 401, rows, last_hour: 0 },
});

test('groups failures by channel, with the worst channel and its worst reason first', () => {
  const groups = failingChannels([count(1, 'timeout', 2), count(2, 'timeout', 4), count(1, 'key_rejected', 3)]);
  expect(groups).toMatchObject([
    { channel: 1, name: 'c1', rows: 5, counts: [{ reason: 'key_rejected' }, { reason: 'timeout' }] },
    { channel: 2, rows: 4 },
  ]);
});

test('links a count to its log entries', () => {
  expect(logSearchOf(count(7, 'timeout', 1), 100)).toEqual({
    type: '5',
    channel: '7',
    reason: 'timeout',
    start: '100',
  });
  expect(logSearchOf(count(0, '', 1), 0)).toEqual({ type: '5' });
});

test.each([
  [undefined, 'today'],
  ['week', 'week'],
  ['month', 'month'],
  ['century', 'today'],
])('formats the time range %s as %s', (text, range) => {
  expect(rangeOf(text)).toBe(range);
});
