import { expect, it } from 'vitest';
import { valueAxis } from './chart-data.ts';

const unit = { size: 1, isWhole: true, format: String, tick: String };
const points = [3, 4].map((value, at) => ({ time: at, label: `${at}`, values: [value] }));
const topOf = (before: readonly (number | null)[]) =>
  valueAxis(points, () => true, { kind: 'bars', unit, ticks: 4, before }).ticks.at(-1)?.value;

it('contains the values of the previous period, if they are higher', () => {
  expect(topOf([])).toBe(4);
  expect(topOf([null, 1])).toBe(4);
  expect(topOf([null, 39])).toBeGreaterThanOrEqual(39);
});
