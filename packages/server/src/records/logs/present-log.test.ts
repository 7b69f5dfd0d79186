import { expect, test } from 'vitest';
import type { LogRow } from '../../platform/db/rows.ts';
import { presentOwnLog } from './present-log.ts';

const shown = (detail: string) => presentOwnLog({ detail, cost: 5 } as LogRow);

test("hides the cost and the admin's address from a user's own log", () => {
  expect(shown('{"event":"x","from":"10.0.0.1"}')).toMatchObject({ cost: 0, detail: '{"event":"x"}' });
});

test("hides channels and keys from the attempts in a user's own log", () => {
  const attempts = [{ channel: 7, key: 3, status: 500, reason: 'busy', start: 4, ms: 12 }, 'odd'];
  const log = presentOwnLog({ channel: 7, detail: JSON.stringify({ model_ratio: 1, attempts }) } as LogRow);
  expect(log.channel).toBe(0);
  const attempt = { status: 500, reason: 'busy', start: 4, ms: 12 };
  expect(JSON.parse(log.detail)).toEqual({ model_ratio: 1, attempts: [attempt, {}] });
});

test('omits truncated details', () => {
  expect(shown('{"event":"x","from":"10.0.0.1"').detail).toBe('');
});

test("hides the names of channel rules from a user's own log", () => {
  expect(shown('{"model_ratio":1,"rules":["secret deal"]}').detail).toBe('{"model_ratio":1}');
});

test("hides the key and the ids of limits from a user's own log", () => {
  expect(shown('{"model_ratio":1,"start":7,"key":3,"limits":[4]}').detail).toBe('{"model_ratio":1,"start":7}');
});
