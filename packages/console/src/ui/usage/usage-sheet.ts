import type { Cell, QuotaDisplay, Usage, UsageHeading, UsageTotals } from '@headgate/contract';

import type { UsageSheet } from './usage-export.ts';
import { isUnknown, measuresInPoints, measureValue } from './usage-labels.ts';
import type { ShownMeasure, UsageState } from './usage-state.ts';

/** A table cell: measure, row and column. Totals are undefined if unknown. */
export interface TableCell {
  readonly measure: ShownMeasure;
  readonly sums: UsageTotals | undefined;
  readonly row: UsageHeading | undefined;
  readonly column: UsageHeading | undefined;
}

export interface TableRow {
  /** Undefined for the totals row. */
  readonly heading: UsageHeading | undefined;
  readonly cells: readonly TableCell[];
}

/** Without columns, each measure is a column. With columns, a single measure is shown, with its total at the end. */
export function tableRows(usage: Usage, state: UsageState, measures: readonly ShownMeasure[]): TableRow[] {
  const known = (sums: UsageTotals | undefined, ...headings: (UsageHeading | undefined)[]) =>
    headings.some((heading) => heading && isUnknown(heading, usage.first)) ? undefined : sums;
  const line = (row: UsageHeading | undefined, cells: readonly (UsageTotals | undefined)[]): TableRow => {
    const total = row?.total ?? usage.total;
    const { measure } = state;
    if (usage.columns.length === 0) {
      return { heading: row, cells: measures.map((each) => cellOf(each, known(total, row), row, undefined)) };
    }
    const crossed = usage.columns.map((column, at) => cellOf(measure, known(cells[at], row, column), row, column));
    return { heading: row, cells: [...crossed, cellOf(measure, known(total, row), row, undefined)] };
  };
  return [
    ...usage.rows.map((row, at) => line(row, usage.cells[at] ?? [])),
    line(
      undefined,
      usage.columns.map(({ total }) => total),
    ),
  ];
}

const cellOf = (
  measure: ShownMeasure,
  sums: UsageTotals | undefined,
  row: UsageHeading | undefined,
  column: UsageHeading | undefined,
): TableCell => ({ measure, sums, row, column });

interface SheetWords {
  readonly corner: string;
  readonly total: string;
  readonly titles: readonly string[];
  readonly nameOf: (heading: UsageHeading) => string;
}

/** The table for export: unknown values are empty, money is in dollars if the gateway shows currency. */
export function sheetOf(rows: readonly TableRow[], words: SheetWords, display: QuotaDisplay): UsageSheet {
  const valueIn = ({ sums, measure }: TableCell): Cell => {
    if (!sums) return '';
    const value = measureValue(sums, measure);
    if (value === null) return '';
    return measuresInPoints.has(measure) && display.display_in_currency ? value / display.quota_per_unit : value;
  };
  return {
    titles: [words.corner, ...words.titles],
    lines: rows.map(({ heading, cells }) => [heading ? words.nameOf(heading) : words.total, ...cells.map(valueIn)]),
  };
}
