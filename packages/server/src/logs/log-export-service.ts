import { finished } from 'node:stream';
import type { OptionValues } from '@headgate/contract';
import { nowInSeconds } from '../clock.ts';
import type { ExportFile } from '../exports/export-file.ts';
import type { ExportSlots } from '../exports/export-slots.ts';
import { exportStream } from '../exports/export-stream.ts';
import { timeWriter } from '../exports/local-time.ts';
import { startThread } from '../exports/thread-chunks.ts';
import type { LogExportManner } from './log-export-columns.ts';
import type { DatabaseLocation, LogExportRepository } from './log-export-repository.ts';
import type { LogExportOrder } from './log-export-thread.ts';
import type { LogFilter } from './log-filter.ts';

interface LogExportServiceDependencies {
  readonly location: DatabaseLocation;
  /** Ends queries of exports that nobody reads any more. */
  readonly repository: LogExportRepository;
  readonly options: { readonly values: Pick<OptionValues, 'QuotaPerUnit'> };
  readonly slots: ExportSlots;
  readonly patienceMs?: number | undefined;
}

type Caller = Parameters<ExportSlots['take']>[0];

const source = new URL('./log-export-thread.ts', import.meta.url);

/** Writes logs to files, each in a thread and over a connection of its own: the relay and whoever writes go on. */
export class LogExportService {
  readonly #dependencies: LogExportServiceDependencies;

  constructor(dependencies: LogExportServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async start(caller: Caller, filter: LogFilter, asked: Omit<LogExportManner, 'quotaPerUnit'>): Promise<ExportFile> {
    const { location, options, slots, patienceMs } = this.#dependencies;
    const manner = { ...asked, quotaPerUnit: options.values.QuotaPerUnit };
    const now = nowInSeconds();
    const covered = { from: filter.within.from, to: Math.min(filter.within.to, now) };
    const order: LogExportOrder = { location: plain(location), filter, manner, covered };
    const slot = slots.take(caller);
    try {
      const { total, backend, chunks, end } = await startThread(source, order);
      const content = exportStream(chunks, patienceMs);
      slot.onEnd(() => content.destroy());
      finished(content, () => {
        slot.leave();
        void this.#end(backend, end).finally(slot.release);
      });
      const name = `logs-${timeWriter(manner.timeZone)(now).replace(/\D+/g, '-')}`;
      return { name, format: manner.format, total, content };
    } catch (error) {
      slot.release();
      throw error;
    }
  }

  /** A thread that ends does not end what its connection is asking for. */
  async #end(backend: number | undefined, endThread: () => Promise<unknown>): Promise<void> {
    if (backend !== undefined) await this.#dependencies.repository.cancel(backend).catch(() => undefined);
    await endThread();
  }
}

/** What a thread can be given: the settings are more than this. */
const plain = ({ dataDir, databaseUrl }: DatabaseLocation): DatabaseLocation => ({ dataDir, databaseUrl });
