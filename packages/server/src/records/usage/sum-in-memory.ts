import type { SumsRequest, SumsRow } from './usage-request.ts';
import { addSums, emptyTotals } from './usage-sums.ts';

export type TimedRow = SumsRow & { readonly offset: number };

/**
 * Groups and sums rows of `site_hours` like an SQL query. Rows with an empty value in a grouping column are skipped.
 */
export function sumInMemory(
  rows: readonly TimedRow[],
  { by, time, largest }: Pick<SumsRequest, 'by' | 'time' | 'largest'>,
): readonly TimedRow[] {
  const sums = new Map<string, TimedRow>();
  for (const row of rows) {
    const values = by.map((column) => row[column]);
    if (values.some((value) => value === '' || value === 0)) continue;
    const key = JSON.stringify(time ? [...values, row.time, row.offset] : values);
    const sum = sums.get(key) ?? { ...row, ...emptyTotals };
    addSums(sum, row);
    sums.set(key, sum);
  }
  const all = [...sums.values()];
  if (!largest) return all;
  const { measure, count } = largest;
  const [column] = by;
  const order = (row: TimedRow) => (column === undefined ? '' : (row[column] ?? ''));
  return all
    .sort((one, other) => other[measure] - one[measure] || (order(one) < order(other) ? -1 : 1))
    .slice(0, count);
}
