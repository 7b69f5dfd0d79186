import { expect, test } from 'vitest';
import { lastMonths, resolveRange } from './usage-time.ts';

const now = new Date(2026, 10, 16, 13, 30);
const at = (...parts: [number, number, number]) => new Date(...parts).getTime() / 1000;

test('ranges start at local midnight and end now; a month covers its first to its last day', () => {
  expect(resolveRange('today', now)).toEqual({ start: at(2026, 10, 16), end: undefined });
  expect(resolveRange('7d', now).start).toBe(at(2026, 10, 10));
  expect(resolveRange('30d', now).start).toBe(at(2026, 9, 18));
  expect(resolveRange('month', now).start).toBe(at(2026, 10, 1));
  expect(resolveRange('24h', now).start).toBe(at(2026, 10, 15) + 14 * 3600);
  expect(resolveRange('2026-02', now)).toEqual({ start: at(2026, 1, 1), end: at(2026, 2, 1) - 1 });
});

test('uses the default range for an unknown range', () => {
  expect(resolveRange('2026-13', now)).toEqual(resolveRange('7d', now));
});

test('lists months across a year boundary', () => {
  expect(lastMonths(new Date(2026, 1, 3), 3)).toEqual(['2026-02', '2026-01', '2025-12']);
});
