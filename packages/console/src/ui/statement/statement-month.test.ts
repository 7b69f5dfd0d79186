import { expect, it } from 'vitest';
import { latestMonths, monthOf } from './statement-month.ts';

const now = new Date(2026, 0, 15);

it('covers a month from its first to its last second', () => {
  expect(monthOf('2026-02', now)).toEqual({
    name: '2026-02',
    from: new Date(2026, 1, 1).getTime() / 1000,
    to: new Date(2026, 2, 1).getTime() / 1000 - 1,
  });
});

it.each([undefined, '', '2026-13', 'x', '2026-1'])('reads %j as the current month', (name) => {
  expect(monthOf(name, now).name).toBe('2026-01');
});

it('lists the latest months across a year boundary', () => {
  expect(latestMonths(now, 3)).toEqual(['2026-01', '2025-12', '2025-11']);
});
