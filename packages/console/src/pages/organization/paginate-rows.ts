import type { ListPage } from '../../lib/list/list.ts';
import type { ListState } from '../../lib/list/list-state.ts';

type Value = string | number;

interface LocalList<Row> {
  /** Text in which the keyword is searched. */
  readonly text: (row: Row) => string;
  /** Values by sort key. */
  readonly sorts: Readonly<Record<string, (row: Row) => Value>>;
}

/** One page of rows that were all loaded at once. */
export function paginateRows<Row>(
  rows: readonly Row[],
  { p, size, keyword, sort, direction }: ListState,
  { text, sorts }: LocalList<Row>,
): ListPage<Row> {
  const wanted = keyword.toLowerCase();
  const found = rows.filter((row) => text(row).toLowerCase().includes(wanted));
  const read = sorts[sort ?? ''];
  const sign = direction === 'desc' ? -1 : 1;
  const sorted = read ? found.toSorted((one, other) => sign * compare(read(one), read(other))) : found;
  return { rows: sorted.slice(p * size, (p + 1) * size), total: sorted.length };
}

const compare = (one: Value, other: Value): number =>
  typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other));
