import type { ListState } from './list-state.ts';

type Arrangement = Pick<ListState, 'keyword' | 'order' | 'sort' | 'direction' | 'status'>;

/**
 * Does with the rows in sight what the server did not: keeps those of the chosen status, and orders by the chosen
 * column. The dropdown's order is the server's own matter, but where it searches.
 */
export function arrange<Row>(rows: readonly Row[], { keyword, order, sort, direction, status }: Arrangement) {
  const kept = status === undefined ? rows : rows.filter((row) => fieldOf(row, 'status') === status);
  const column = sort ?? (keyword === '' ? '' : order);
  if (column === '') return kept;
  const sign = sort !== undefined && direction === 'asc' ? 1 : -1;
  return kept.toSorted((one, other) => sign * compare(fieldOf(one, column), fieldOf(other, column)));
}

const fieldOf = (row: unknown, name: string): unknown => (row as Readonly<Record<string, unknown>>)[name];

function compare(one: unknown, other: unknown): number {
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : String(one ?? '').localeCompare(String(other ?? ''));
}
