import { describe, expect, test } from 'vitest';
import {
  displayNameLength,
  mailCooldownSeconds,
  messageDurationMs,
  pageSize,
  passwordLength,
  usernameLength,
} from '../catalog/limits.ts';
import { profileUpdate, signedInUser, user } from './user.ts';

test('[S9.6] the default page size is 10', () => {
  expect(pageSize).toBe(10);
});

test('field lengths match the specification', () => {
  expect(usernameLength).toEqual({ max: 12 });
  expect(displayNameLength).toEqual({ max: 20 });
  expect(passwordLength).toEqual({ min: 8, max: 20 });
});

test('[S9.1 S9.2 S9.3 S9.4 S9.5] messages are shown for 1.5, 3, 5, 10 and 20 seconds', () => {
  expect(messageDurationMs).toEqual({ success: 1500, info: 3000, error: 5000, warning: 10_000, notice: 20_000 });
});

test('[S4.35 S9.19 S9.20] another email can be requested after 30 seconds', () => {
  expect(mailCooldownSeconds).toBe(30);
});

test('the user schema contains no secret fields', () => {
  const fields = Object.keys(user.shape);
  expect(fields.filter((field) => /password|token|hash|secret/.test(field))).toEqual(['tokens_locked']);
  expect(Object.keys(signedInUser.shape)).toEqual(['id', 'username', 'display_name', 'role', 'status']);
});

describe('profileUpdate', () => {
  test.each([
    [{}, {}],
    [{ username: '' }, { username: undefined }],
    [{ username: ' ada ' }, { username: 'ada' }],
    [{ display_name: ' Ada L. ' }, { display_name: 'Ada L.' }],
    [{ password: ' spaces stay ' }, { password: ' spaces stay ' }],
    [{ role: 100 }, {}],
  ])('reads the profile %j as %j', (input, change) => {
    expect(profileUpdate.parse(input)).toEqual(change);
  });

  test.each([
    { username: 'x'.repeat(13) },
    { username: '  ' },
    { display_name: 'x'.repeat(21) },
    { password: 'seven77' },
    { password: 'x'.repeat(201) },
    { password: 12_345_678 },
    { username: null },
  ])('rejects the profile %j', (input) => {
    expect(profileUpdate.safeParse(input).success).toBe(false);
  });
});
