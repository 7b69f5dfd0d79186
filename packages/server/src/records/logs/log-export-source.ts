import type { ExportOrder } from '../exports/export-service.ts';
import type { ExportText } from '../exports/export-thread.ts';
import type { LogExportFormat } from './log-export-columns.ts';
import type { LogExportRepository } from './log-export-repository.ts';
import type { ExportedLog } from './log-export-row.ts';
import { logExportText } from './log-export-text.ts';
import type { LogFilter } from './log-filter.ts';
import type { Span } from './time-span.ts';

/** Input of the thread. */
export interface LogExportOrder extends ExportOrder {
  readonly filter: LogFilter;
  readonly manner: LogExportFormat;
  /** Time range stated in the file. */
  readonly covered: Span;
}

interface LogExportSource {
  readonly total: number;
  readonly pages: AsyncIterable<readonly ExportedLog[]>;
  readonly text: ExportText<ExportedLog>;
}

/** Rows of a log export, and how they are written. */
export async function logExportSource(
  logs: LogExportRepository,
  { filter, manner, covered }: Pick<LogExportOrder, 'filter' | 'manner' | 'covered'>,
): Promise<LogExportSource> {
  const plan = await logs.plan(filter);
  return {
    total: plan.total,
    pages: logs.pages(plan, manner.format === 'csv' ? 'of events' : 'all'),
    text: logExportText(manner, covered),
  };
}
