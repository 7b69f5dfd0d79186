import type { UsageHeading, UsageTotals } from '@headgate/contract';

export const emptyTotals: UsageTotals = {
  requests: 0,
  failures: 0,
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  cached_tokens: 0,
  cost: 0,
  uncosted_quota: 0,
};

export const measures = Object.keys(emptyTotals) as (keyof UsageTotals)[];

export function addSums(sum: UsageTotals, added: UsageTotals): void {
  for (const measure of measures) sum[measure] += added[measure];
}

export function sumTotals(all: readonly UsageTotals[]): UsageTotals {
  const total = { ...emptyTotals };
  for (const each of all) addSums(total, each);
  return total;
}

/** Subtracts known parts from a total. */
function remainderOf(whole: UsageTotals, parts: readonly UsageTotals[]): UsageTotals {
  const rest = { ...whole };
  for (const part of parts) for (const measure of measures) rest[measure] -= part[measure];
  return rest;
}

export const usageHeading = (key: string, label: string, fields: Partial<UsageHeading> = {}): UsageHeading => ({
  key,
  label,
  is_others: false,
  username: '',
  from: 0,
  to: 0,
  total: { ...emptyTotals },
  ...fields,
});

/** Rows, columns and cells of a usage table. */
export interface UsageGrid {
  readonly rows: UsageHeading[];
  readonly columns: UsageHeading[];
  readonly cells: UsageTotals[][];
}

/** Adds a column with the remainder of each row, if any. */
export function addOtherColumn({ rows, columns, cells }: UsageGrid, total: UsageTotals): void {
  const rest = remainderOf(
    total,
    columns.map((column) => column.total),
  );
  if (rest.requests === 0) return;
  for (const [at, row] of cells.entries()) row.push(remainderOf(rows[at]?.total ?? emptyTotals, row));
  columns.push(usageHeading('', '', { is_others: true, total: rest }));
}

/** Adds a row with the remainder of each column. Must be called last, so that the row has a cell in every column. */
export function addOtherRow({ rows, columns, cells }: UsageGrid, total: UsageTotals): void {
  const rest = remainderOf(
    total,
    rows.map((row) => row.total),
  );
  if (rest.requests === 0) return;
  const others = columns.map((column, at) =>
    remainderOf(
      column.total,
      cells.map((row) => row[at] ?? emptyTotals),
    ),
  );
  cells.push(others);
  rows.push(usageHeading('', '', { is_others: true, total: rest }));
}
