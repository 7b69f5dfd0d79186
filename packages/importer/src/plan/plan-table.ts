import { isSkipped, type Outcome, type Skipped } from '../mapping/outcome.ts';
import type { SourceRow } from '../source/source.ts';
import { textOf, truncate } from '../source/source-values.ts';
import { ImportTally, rowLabel, type TableReport } from './import-tally.ts';
import { checkLength, reportedId } from './row-checks.ts';

interface TablePlan<Row> {
  readonly rows: readonly Row[];
  readonly report: TableReport;
}

interface Steps<Row> {
  /** Singular, for labels. */
  readonly kind: string;
  /** Plural, for the report. */
  readonly name: string;
  /** Reason why the row cannot be identified. */
  readonly faultOf?: (row: SourceRow) => Skipped | undefined;
  readonly labelOf?: (row: SourceRow) => string;
  readonly isHere: (row: SourceRow) => boolean;
  readonly map: (row: SourceRow) => readonly Outcome<Row>[];
}

/** Plans the import of one table. */
export function planTable<Row>(rows: readonly SourceRow[], steps: Steps<Row>): TablePlan<Row> {
  const { labelOf = (row) => rowLabel(steps.kind, reportedId(row), truncate(textOf(row, 'name'), 60)) } = steps;
  const tally = new ImportTally(steps.name);
  const planned: Row[] = [];
  for (const row of rows) {
    const outcomes = outcomesOf(row, steps);
    for (const outcome of outcomes) if (!isSkipped(outcome)) planned.push(outcome.row);
    if (outcomes.length === 0) tally.addExisting();
    else tally.add(labelOf(row), outcomes);
  }
  return { rows: planned, report: tally.report };
}

/** Empty if the row was already imported. */
function outcomesOf<Row>(row: SourceRow, { faultOf, isHere, map }: Steps<Row>): readonly Outcome<Row>[] {
  const fault = faultOf?.(row);
  if (fault) return [fault];
  if (isHere(row)) return [];
  const tooLong = checkLength(row);
  return tooLong ? [tooLong] : map(row);
}
