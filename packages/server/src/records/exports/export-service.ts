import { finished } from 'node:stream';
import type { OptionValues } from '@headgate/contract';
import type { ExportFile } from '../../http/handlers.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { DatabaseLocation, ExportConnectionRepository } from './export-connection-repository.ts';
import { type ExportFileFormat, localTimeFormatter, type RequestedFormat } from './export-format.ts';
import type { ExportSlots } from './export-slots.ts';
import { exportStream, startThread } from './thread-chunks.ts';

interface ExportServiceDependencies {
  readonly location: DatabaseLocation;
  /** Cancels queries of exports whose client has disconnected. */
  readonly connections: ExportConnectionRepository;
  readonly options: { readonly values: Pick<OptionValues, 'QuotaPerUnit'> };
  readonly slots: ExportSlots;
  readonly patienceMs?: number | undefined;
}

export type ExportCaller = Parameters<ExportSlots['take']>[0];

/** Input of every export thread; each kind of export adds fields. */
export interface ExportJob {
  readonly location: DatabaseLocation;
  readonly format: ExportFileFormat;
}

interface ExportRequest<Order extends ExportJob> {
  /** Prefix of the file name. */
  readonly name: string;
  readonly thread: URL;
  readonly format: Omit<Order['format'], 'quotaPerUnit'> & RequestedFormat;
  readonly order: Omit<Order, keyof ExportJob>;
}

/**
 * Writes each file in a separate thread with its own database connection, so that the relay and other writers are not
 * blocked.
 */
export class ExportService {
  readonly #dependencies: ExportServiceDependencies;

  constructor(dependencies: ExportServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async start<Order extends ExportJob>(caller: ExportCaller, request: ExportRequest<Order>): Promise<ExportFile> {
    const { location, options, slots, patienceMs } = this.#dependencies;
    const { name, thread, format: requested } = request;
    const format = { ...requested, quotaPerUnit: options.values.QuotaPerUnit };
    const slot = await slots.take(caller);
    try {
      const order = { ...request.order, location: plain(location), format };
      const { total, backend, chunks, end } = await startThread(thread, order);
      const content = exportStream(chunks, patienceMs);
      slot.onEnd(() => content.destroy());
      finished(content, () => {
        slot.leave();
        void this.#end(backend, end).finally(slot.release);
      });
      const time = localTimeFormatter(format.timeZone)(nowInSeconds()).replace(/\D+/g, '-');
      return { name: `${name}-${time}`, format: format.format, total, content };
    } catch (error) {
      slot.release();
      throw error;
    }
  }

  /**
   * Cancels the query before the thread is terminated, because terminating a thread does not end the query on its
   * connection.
   */
  async #end(backend: number | undefined, endThread: () => Promise<unknown>): Promise<void> {
    if (backend !== undefined) await this.#dependencies.connections.cancel(backend).catch(() => undefined);
    await endThread();
  }
}

/** Copies only the plain fields, because some settings cannot be passed to a thread. */
const plain = ({ dataDir, databaseUrl }: DatabaseLocation): DatabaseLocation => ({ dataDir, databaseUrl });
