import { describe, expect, test } from 'vitest';
import { isAdmin, isRoot, role, roles, unknownRole } from './roles.ts';

describe('[S6.1 S6.2] isAdmin and isRoot', () => {
  test.each([
    [0, false, false],
    [1, false, false],
    [9, false, false],
    [10, true, false],
    [11, true, false],
    [99, true, false],
    [100, true, true],
    [101, true, true],
    [-100, false, false],
    [Number.NaN, false, false],
  ])('[S6.1 S6.2] role %d is admin from 10 and root from 100', (value, admin, root) => {
    expect(isAdmin({ role: value })).toBe(admin);
    expect(isRoot({ role: value })).toBe(root);
  });
});

test('[S6.3] a visitor is neither admin nor root', () => {
  expect(isAdmin(undefined)).toBe(false);
  expect(isRoot(undefined)).toBe(false);
});

test('every role has a distinct label and color', () => {
  expect(roles).toEqual({
    1: { label: 'Common user', color: 'gray' },
    10: { label: 'Admin', color: 'yellow' },
    100: { label: 'Super admin', color: 'orange' },
  });
  expect(Object.keys(roles).map(Number)).toEqual(Object.values(role));
  expect(unknownRole.label).toBe('Unknown identity');
});
