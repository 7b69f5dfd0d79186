import { workerData } from 'node:worker_threads';
import { runExportThread, writeExport } from '../exports/export-thread.ts';
import { openLogExport } from './log-export-repository.ts';
import { type LogExportJob, logExportSource } from './log-export-source.ts';

async function write(order: LogExportJob): Promise<void> {
  const logs = await openLogExport(order.location);
  try {
    const source = await logExportSource(logs, order);
    await writeExport({ ...source, backend: await logs.backend() });
  } finally {
    await logs.close();
  }
}

await runExportThread(() => write(workerData as LogExportJob));
