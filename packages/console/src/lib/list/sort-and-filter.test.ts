import { expect, test } from 'vitest';
import { sortAndFilter } from './sort-and-filter.ts';

const rows = [
  { id: 3, name: 'b', status: 1 },
  { id: 2, name: 'c', status: 2 },
  { id: 1, name: 'a', status: 1 },
];
const plain = { keyword: '', order: '', sort: undefined, direction: 'asc', status: undefined } as const;
const ids = (change: Partial<Parameters<typeof sortAndFilter>[1]>) =>
  sortAndFilter(rows, { ...plain, ...change }).map(({ id }) => id);

test('[S1.23] sorts and filters rows in the browser if the server does not', () => {
  expect(ids({})).toEqual([3, 2, 1]);
  expect(ids({ sort: 'id' })).toEqual([1, 2, 3]);
  expect(ids({ sort: 'name', direction: 'desc' })).toEqual([2, 3, 1]);
  expect(ids({ status: 1 })).toEqual([3, 1]);
});

test('[S1.23] applies the selected order only to search results', () => {
  expect(ids({ order: 'name' })).toEqual([3, 2, 1]);
  expect(ids({ order: 'name', keyword: 'x' })).toEqual([2, 3, 1]);
});
