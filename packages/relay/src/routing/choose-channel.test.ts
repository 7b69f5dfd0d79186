import { expect, test } from 'vitest';
import type { Candidate } from '../ports/relay-channel.ts';
import { chooseChannel } from './choose-key.ts';

const channel = (id: number, priority = 0, weight = 0): Candidate => ({ id, priority, weight });
const none = new Set<number>();

test('chooses the highest priority regardless of weights', () => {
  const candidates = [channel(1, 0, 100), channel(2, 5, 1), channel(3, -1, 100)];
  expect([0, 0.5, 0.999].map((roll) => chooseChannel(candidates, none, roll)?.id)).toEqual([2, 2, 2]);
});

test('chooses by weight within a priority, counting a weight of 0 as 1', () => {
  const candidates = [channel(1, 0, 0), channel(2, 0, 3)];
  const rolls = Array.from({ length: 1000 }, (_, index) => index / 1000);
  const first = rolls.filter((roll) => chooseChannel(candidates, none, roll)?.id === 1);
  expect(first).toHaveLength(250);
});

test('does not choose a failed channel again, and falls back to the next priority', () => {
  const candidates = [channel(1, 5), channel(2, 5), channel(3, 1)];
  expect(chooseChannel(candidates, new Set([1]), 0)?.id).toBe(2);
  expect(chooseChannel(candidates, new Set([1, 2]), 0)?.id).toBe(3);
  expect(chooseChannel(candidates, new Set([1, 2, 3]), 0)).toBeUndefined();
  expect(chooseChannel([], none, 0)).toBeUndefined();
});
