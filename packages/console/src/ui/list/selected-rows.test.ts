import { expect, test } from 'vitest';
import { noneSelected, type SelectedRows, withPageToggled, withRange, withToggled } from './selected-rows.ts';

const page = [9, 8, 7, 6, 5];
const everything: SelectedRows = { ids: new Set(), isEverything: true, anchor: undefined };
const idsOf = ({ ids }: SelectedRows) => [...ids].sort();

test('a row is selected and left out again', () => {
  const one = withToggled(noneSelected, 8, page);
  expect(idsOf(one)).toEqual([8]);
  expect(idsOf(withToggled(one, 8, page))).toEqual([]);
});

test.each([
  { from: 9, to: 6, ids: [6, 7, 8, 9] },
  { from: 6, to: 9, ids: [6, 7, 8, 9] },
  { from: 7, to: 7, ids: [] },
])('a range from $from to $to selects what lies between', ({ from, to, ids }) => {
  expect(idsOf(withRange(withToggled(noneSelected, from, page), to, page))).toEqual(ids);
});

test('a range to a selected row leaves out what lies between', () => {
  const all = withToggled(withPageToggled(noneSelected, page), 8, page);
  expect(idsOf(withRange(all, 6, page))).toEqual([5, 9]);
});

test('a range whose beginning is on another page is the row alone', () => {
  const before = withToggled(noneSelected, 100, page);
  expect(idsOf(withRange(before, 7, page))).toEqual([100, 7]);
});

test('a page is selected beside what is selected on others, and left out again', () => {
  const both = withPageToggled(withToggled(noneSelected, 100, [100]), page);
  expect(idsOf(both)).toEqual([100, 5, 6, 7, 8, 9]);
  expect(idsOf(withPageToggled(both, page))).toEqual([100]);
  expect(idsOf(withPageToggled(withToggled(noneSelected, 9, page), page))).toEqual([5, 6, 7, 8, 9]);
});

test('of everything that matches, one left out leaves the rest of its page', () => {
  const rest = withToggled(everything, 7, page);
  expect(rest.isEverything).toBe(false);
  expect(idsOf(rest)).toEqual([5, 6, 8, 9]);
  expect(withPageToggled(everything, page)).toEqual(noneSelected);
});
