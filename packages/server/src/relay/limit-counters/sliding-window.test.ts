import { expect, test } from 'vitest';
import { seededRandom } from '../../testing/relay/random-requests.ts';
import { modelMatcher } from './limit-table.ts';
import { SlidingWindow } from './sliding-window.ts';

const minute = 60_000;

test.each([1, 2, 3, 4, 5])(
  'never exceeds the limit in any minute, and frees everything afterwards (seed %i)',
  (seed) => {
    const random = seededRandom(seed);
    const window = new SlidingWindow(minute);
    const limit = 50;
    const uses: number[] = [];
    let now = 0;
    for (let step = 0; step < 5000; step += 1) {
      now += random() < 0.02 ? random() * 70_000 : random() * 500;
      if (window.total(now) + 1 <= limit) {
        window.add(1, now);
        uses.push(now);
      } else {
        // Every rejection is caused by usage in the last 61 seconds.
        expect(uses.filter((at) => at > now - 61_000).length).toBeGreaterThanOrEqual(limit);
        const wait = window.msUntil(limit - 1, now);
        expect(wait).toBeGreaterThan(0);
        now += wait;
        expect(window.total(now)).toBeLessThan(limit);
      }
      expect(uses.filter((at) => at > now - minute).length).toBeLessThanOrEqual(limit);
    }
    expect(window.total(now + 61_001)).toBe(0);
  },
);

test('applies a correction at the time of the corrected usage and never goes below zero', () => {
  const window = new SlidingWindow(minute);
  window.add(100, 0);
  window.add(10, 30_000);
  window.correct(-60, 0, 40_000);
  expect(window.total(40_000)).toBe(50);
  expect(window.total(61_500)).toBe(10);
  window.correct(-500, 0, 61_500);
  expect(window.total(61_500)).toBe(10);
  window.correct(-500, 30_000, 61_600);
  expect(window.total(61_600)).toBe(0);
  window.correct(5, 30_000, 62_000);
  expect([window.total(62_000), window.total(91_500)]).toEqual([5, 0]);
});

test('never under-reports usage to other nodes, and reported usage expires', () => {
  const window = new SlidingWindow(minute);
  for (let at = 0; at < minute; at += 700) window.add(3, at);
  const other = new SlidingWindow(minute);
  const now = minute + 5000;
  other.addReported(window.slotAmounts(now), now);
  for (let later = 0; later < 70_000; later += 1000)
    expect(other.total(now + later)).toBeGreaterThanOrEqual(window.total(now + later));
  expect(other.total(now + 61_001)).toBe(0);
});

test.each([
  ['', 'anything', true],
  ['gpt-5', 'gpt-5', true],
  ['gpt-5', 'gpt-5-mini', false],
  ['gpt-5*', 'gpt-5-mini', true],
  ['gpt-5*', 'gpt-4', false],
  ['*', '', true],
  ['*-mini', 'gpt-5-mini', true],
  ['*-mini', 'gpt-5-mini-x', false],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'ac', false],
  ['aba*ba', 'aba', false],
  ['a.c', 'abc', false],
  ['(x+x+)+y', 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', false],
])('matches the pattern %j against the model %j: %s', (pattern, model, matches) => {
  expect(modelMatcher(pattern)(model)).toBe(matches);
});
