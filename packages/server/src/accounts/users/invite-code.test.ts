import { expect, test } from 'vitest';
import { inviteCodes } from './invite-code.ts';

test('invite code candidates start with four characters and get longer, so that one is always free', () => {
  const codes = [...inviteCodes()];
  expect(codes.map((code) => code.length)).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
  for (const code of codes) expect(code).toMatch(/^[0-9A-Za-z]+$/);
});

test('invite codes use all letters and digits', () => {
  const seen = new Set(Array.from({ length: 200 }, () => [...inviteCodes()].join('')).join(''));
  expect(seen.size).toBe(62);
});
