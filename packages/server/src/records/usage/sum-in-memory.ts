import type { SumsRequest, SumsRow } from './usage-request.ts';
import { addSums, noSums } from './usage-sums.ts';

export type TimedRow = SumsRow & { readonly offset: number };

/** Adds up rows by columns of `site_hours` as a query does. Rows without a value of a column are not told apart by it. */
export function sumInMemory(
  rows: readonly TimedRow[],
  { by, time, largest }: Pick<SumsRequest, 'by' | 'time' | 'largest'>,
): readonly TimedRow[] {
  const sums = new Map<string, TimedRow>();
  for (const row of rows) {
    const values = by.map((column) => row[column]);
    if (values.some((value) => value === '' || value === 0)) continue;
    const key = JSON.stringify(time ? [...values, row.time, row.offset] : values);
    const sum = sums.get(key) ?? { ...row, ...noSums };
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
