import { logType } from '@headgate/contract';
import { expect, it } from 'vitest';
import { creditOf } from './statement-credits.ts';

const row = { created_at: 5, content: 'text', quota: 0 };
const detail = (event: string, more: object = {}) => JSON.stringify({ event, values: { amount: '$1' }, ...more });

it.each([
  ['a top-up', { type: logType.topUp, quota: 7, detail: detail('user.topped_up') }, 7],
  ['an imported top-up', { type: logType.topUp, quota: 0, detail: '' }, null],
  ['a plan', { type: logType.topUp, quota: 0, detail: detail('plan.bought') }, 0],
  ['a gift', { type: logType.system, detail: detail('user.gift', { points: 9 }) }, 9],
  ['an edit that lowers the quota', { type: logType.management, detail: detail('user.quota', { points: -3 }) }, -3],
  ['an edit of an older version', { type: logType.management, detail: detail('user.quota') }, null],
  ['a damaged detail', { type: logType.management, detail: '{' }, null],
  ['a detail with an invalid amount', { type: logType.system, detail: detail('user.gift', { points: 'x' }) }, null],
])('reads %s', (_, change, amount) => {
  expect(creditOf({ ...row, ...change }).amount).toBe(amount);
});

it("omits the admin's address", () => {
  const given = detail('user.quota', { from: '10.0.0.1' });
  expect(creditOf({ ...row, type: logType.management, detail: given }).detail).not.toContain('10.0.0.1');
});
