import { expect, test } from 'vitest';
import { emptySelection, type SelectedRows, togglePage, toggleRange, toggleRow } from './selected-rows.ts';

const page = [9, 8, 7, 6, 5];
const everything: SelectedRows = { ids: new Set(), isEverything: true, anchor: undefined };
const idsOf = ({ ids }: SelectedRows) => [...ids].sort();

test('selects and deselects a row', () => {
  const one = toggleRow(emptySelection, 8, page);
  expect(idsOf(one)).toEqual([8]);
  expect(idsOf(toggleRow(one, 8, page))).toEqual([]);
});

test.each([
  { from: 9, to: 6, ids: [6, 7, 8, 9] },
  { from: 6, to: 9, ids: [6, 7, 8, 9] },
  { from: 7, to: 7, ids: [] },
])('selects a range from $from to $to', ({ from, to, ids }) => {
  expect(idsOf(toggleRange(toggleRow(emptySelection, from, page), to, page))).toEqual(ids);
});

test('deselects a range that ends at a selected row', () => {
  const all = toggleRow(togglePage(emptySelection, page), 8, page);
  expect(idsOf(toggleRange(all, 6, page))).toEqual([5, 9]);
});

test('selects only the row when the range starts on another page', () => {
  const before = toggleRow(emptySelection, 100, page);
  expect(idsOf(toggleRange(before, 7, page))).toEqual([100, 7]);
});

test('adds all rows of a page to a selection from other pages, and removes them again', () => {
  const both = togglePage(toggleRow(emptySelection, 100, [100]), page);
  expect(idsOf(both)).toEqual([100, 5, 6, 7, 8, 9]);
  expect(idsOf(togglePage(both, page))).toEqual([100]);
  expect(idsOf(togglePage(toggleRow(emptySelection, 9, page), page))).toEqual([5, 6, 7, 8, 9]);
});

test('keeps the other rows selected when one of all matches is deselected', () => {
  const rest = toggleRow(everything, 7, page);
  expect(rest.isEverything).toBe(false);
  expect(idsOf(rest)).toEqual([5, 6, 8, 9]);
  expect(togglePage(everything, page)).toEqual(emptySelection);
});
