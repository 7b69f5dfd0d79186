import { expect, it } from 'vitest';
import { FreeResponseLimiter } from './free-response-limiter.ts';

it('[A68.14] limits free empty responses per user and hour', () => {
  let now = 0;
  const free = new FreeResponseLimiter(() => now);
  const taken = Array.from({ length: 30 }, () => free.count(1)).filter(Boolean);
  expect(taken).toHaveLength(20);
  expect(free.count(2)).toBe(true);
  now = 3_600_000;
  expect(free.count(1)).toBe(true);
});
