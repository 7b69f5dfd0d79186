import type { Usage, UsageRanking, UsageTotals } from '@headgate/contract';

/** Users must not see the operator's cost, and the order of the rows must not reveal it either. */
export const ownMeasure = (measure: UsageRanking): UsageRanking =>
  measure === 'cost' || measure === 'margin' || measure === 'uncosted_quota' ? 'quota' : measure;

export function withoutCost(usage: Usage): Usage {
  const plain = (sums: UsageTotals): UsageTotals => ({ ...sums, cost: 0, uncosted_quota: 0 });
  const headings = (all: Usage['rows']) => all.map((heading) => ({ ...heading, total: plain(heading.total) }));
  return {
    ...usage,
    rows: headings(usage.rows),
    columns: headings(usage.columns),
    cells: usage.cells.map((row) => row.map(plain)),
    total: plain(usage.total),
  };
}
