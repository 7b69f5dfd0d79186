import { expect, test } from 'vitest';
import { Resting } from './resting.ts';

test('a channel rests after three failures in a row, longer each time, and never for ever', () => {
  const resting = new Resting();
  resting.failed(1, 0);
  resting.failed(1, 0);
  expect(resting.isResting(1, 0)).toBe(false);
  resting.failed(1, 0);
  expect(resting.isResting(1, 14_999)).toBe(true);
  expect(resting.isResting(1, 15_000)).toBe(false);
  resting.failed(1, 15_000);
  expect(resting.isResting(1, 44_999)).toBe(true);
  for (let count = 0; count < 50; count += 1) resting.failed(1, 50_000);
  expect(resting.isResting(1, 349_999)).toBe(true);
  expect(resting.isResting(1, 350_000)).toBe(false);
  expect(resting.isResting(2, 0)).toBe(false);
});

test('one success ends it, and the upstream’s own word begins it at once', () => {
  const resting = new Resting();
  resting.failed(1, 0, 5000);
  expect(resting.isResting(1, 4999)).toBe(true);
  resting.succeeded(1);
  expect(resting.isResting(1, 1)).toBe(false);
});
