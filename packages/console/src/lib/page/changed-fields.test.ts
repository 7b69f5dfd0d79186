import { expect, test } from 'vitest';
import { changedFields } from './changed-fields.ts';

test('returns only changed fields, and compares lists by content', () => {
  const before = { name: 'a', quota: 5, group: ['x', 'y'], key: '' };
  expect(changedFields(before, { ...before })).toEqual({});
  expect(changedFields(before, { ...before, group: ['x', 'y'] })).toEqual({});
  expect(changedFields(before, { name: 'b', quota: 0, group: ['y', 'x'], key: '' })).toEqual({
    name: 'b',
    quota: 0,
    group: ['y', 'x'],
  });
  expect(changedFields<{ a?: number }>({}, { a: 0 })).toEqual({ a: 0 });
});
