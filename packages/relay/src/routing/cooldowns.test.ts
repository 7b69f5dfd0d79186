import { expect, test } from 'vitest';
import { Cooldowns } from './cooldowns.ts';

test('a channel cools down after three consecutive failures, longer each time, up to a maximum', () => {
  const cooldowns = new Cooldowns();
  cooldowns.failed(1, 0);
  cooldowns.failed(1, 0);
  expect(cooldowns.isCooling(1, 0)).toBe(false);
  cooldowns.failed(1, 0);
  expect(cooldowns.isCooling(1, 14_999)).toBe(true);
  expect(cooldowns.isCooling(1, 15_000)).toBe(false);
  cooldowns.failed(1, 15_000);
  expect(cooldowns.isCooling(1, 44_999)).toBe(true);
  for (let count = 0; count < 50; count += 1) cooldowns.failed(1, 50_000);
  expect(cooldowns.isCooling(1, 349_999)).toBe(true);
  expect(cooldowns.isCooling(1, 350_000)).toBe(false);
  expect(cooldowns.isCooling(2, 0)).toBe(false);
});

test('a success ends the cooldown, and Retry-After starts it immediately', () => {
  const cooldowns = new Cooldowns();
  cooldowns.failed(1, 0, 5000);
  expect(cooldowns.isCooling(1, 4999)).toBe(true);
  cooldowns.succeeded(1);
  expect(cooldowns.isCooling(1, 1)).toBe(false);
});

test('counts failures reported by other nodes like local ones, and ends the cooldown when they report a success', () => {
  const cooldowns = new Cooldowns();
  const reports: (readonly [number, number | undefined])[] = [];
  cooldowns.onMessage = (channel, waitMs) => reports.push([channel, waitMs]);
  cooldowns.failed(1, 0);
  cooldowns.receive(1, { hasResponded: false, failures: 2, waitMs: 0 }, 0);
  expect(cooldowns.isCooling(1, 14_999)).toBe(true);
  cooldowns.receive(1, { hasResponded: true, failures: 0, waitMs: 0 }, 1);
  expect(cooldowns.isCooling(1, 1)).toBe(false);
  cooldowns.receive(1, { hasResponded: true, failures: 1, waitMs: 5000 }, 1);
  expect(cooldowns.isCooling(1, 5000)).toBe(true);
  cooldowns.succeeded(1);
  cooldowns.succeeded(1);
  cooldowns.failed(2, 0, 700);
  // Reports received from other nodes are not broadcast again.
  expect(reports).toEqual([
    [1, 0],
    [1, undefined],
    [2, 700],
  ]);
});
