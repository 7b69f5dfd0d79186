import type { ExportFile } from '../../http/handlers.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { ExportCaller, ExportService } from '../exports/export-service.ts';
import type { LogExportFormat } from './log-export-columns.ts';
import type { LogExportJob } from './log-export-source.ts';
import type { LogFilter } from './log-filter.ts';

const thread = new URL('./log-export-thread.ts', import.meta.url);

/** Exports logs. */
export class LogExportService {
  readonly #exports: ExportService;

  constructor(exports: ExportService) {
    this.#exports = exports;
  }

  start(caller: ExportCaller, filter: LogFilter, format: Omit<LogExportFormat, 'quotaPerUnit'>): Promise<ExportFile> {
    const covered = { from: filter.within.from, to: Math.min(filter.within.to, nowInSeconds()) };
    return this.#exports.start<LogExportJob>(caller, { name: 'logs', thread, format, order: { filter, covered } });
  }
}
