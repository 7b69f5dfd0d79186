import { expect, test } from 'vitest';
import { readUsage, type UsageState, writeUsage } from './usage-state.ts';

const some: UsageState = {
  rows: 'user',
  tagKey: '',
  columns: 'model',
  measure: 'margin',
  order: 'asc',
  range: '2026-10',
  chart: 'lines',
  top: 20,
  filters: { username: 'ada', channel: '7' },
};

test('round-trips the state through the URL, and omits defaults', () => {
  expect(readUsage(writeUsage(some), true)).toEqual(some);
  expect(readUsage(writeUsage({ ...some, columns: '' }), true).columns).toBe('');
  expect(Object.values(writeUsage(readUsage({}, true))).filter(Boolean)).toEqual([]);
});

test('replaces invalid URL parameters with defaults', () => {
  const wrong = { rows: 'planet', columns: 'week', measure: 'joy', range: '2026-99', top: '7' };
  expect(readUsage(wrong, true)).toMatchObject({
    rows: 'model',
    columns: 'week',
    measure: 'quota',
    order: 'desc',
    range: '7d',
    top: 10,
  });
  expect(readUsage({ rows: 'day', columns: 'hour' }, true)).toMatchObject({ rows: 'day', columns: '' });
});

test('hides users, channels and cost from common users', () => {
  expect(readUsage({ rows: 'user', columns: 'channel', measure: 'cost' }, false)).toMatchObject({
    rows: 'model',
    columns: 'day',
    measure: 'quota',
  });
});
