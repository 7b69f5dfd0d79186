import { workerData } from 'node:worker_threads';
import type { ExportOrder } from '../exports/export-service.ts';
import { runExportThread, writeExport } from '../exports/export-thread.ts';
import type { LogExportManner } from './log-export-columns.ts';
import { openLogExport } from './log-export-repository.ts';
import { logExportText } from './log-export-text.ts';
import type { LogFilter } from './log-filter.ts';
import type { Span } from './time-span.ts';

/** Given to the thread when it starts. */
export interface LogExportOrder extends ExportOrder {
  readonly filter: LogFilter;
  readonly manner: LogExportManner;
  /** The time the file says it is about. */
  readonly covered: Span;
}

async function write({ location, filter, manner, covered }: LogExportOrder): Promise<void> {
  const logs = await openLogExport(location);
  try {
    const plan = await logs.plan(filter);
    await writeExport({
      total: plan.total,
      backend: await logs.backend(),
      pages: logs.pages(plan, manner.format === 'csv' ? 'of events' : 'all'),
      text: logExportText(manner, covered),
    });
  } finally {
    await logs.close();
  }
}

await runExportThread(() => write(workerData as LogExportOrder));
