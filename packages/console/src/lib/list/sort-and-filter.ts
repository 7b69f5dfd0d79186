import type { ListState } from './list-state.ts';

type SortAndFilterState = Pick<ListState, 'keyword' | 'order' | 'sort' | 'direction' | 'status'>;

/**
 * Filters by status and sorts the current page for servers that do not. The dropdown order is applied by the server,
 * except in searches.
 */
export function sortAndFilter<Row>(
  rows: readonly Row[],
  { keyword, order, sort, direction, status }: SortAndFilterState,
) {
  const matching = status === undefined ? rows : rows.filter((row) => fieldOf(row, 'status') === status);
  const column = sort ?? (keyword === '' ? '' : order);
  if (column === '') return matching;
  const sign = sort !== undefined && direction === 'asc' ? 1 : -1;
  return matching.toSorted((one, other) => sign * compare(fieldOf(one, column), fieldOf(other, column)));
}

const fieldOf = (row: unknown, name: string): unknown => (row as Readonly<Record<string, unknown>>)[name];

function compare(one: unknown, other: unknown): number {
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : String(one ?? '').localeCompare(String(other ?? ''));
}
