import { finished } from 'node:stream';
import type { OptionValues } from '@headgate/contract';
import type { ExportFile } from '../../http/export-file.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { DatabaseLocation, ExportConnectionRepository } from './export-connection-repository.ts';
import type { AskedManner, ExportManner } from './export-manner.ts';
import type { ExportSlots } from './export-slots.ts';
import { exportStream } from './export-stream.ts';
import { timeWriter } from './local-time.ts';
import { startThread } from './thread-chunks.ts';

interface ExportServiceDependencies {
  readonly location: DatabaseLocation;
  /** Ends queries of exports that nobody reads any more. */
  readonly connections: ExportConnectionRepository;
  readonly options: { readonly values: Pick<OptionValues, 'QuotaPerUnit'> };
  readonly slots: ExportSlots;
  readonly patienceMs?: number | undefined;
}

export type ExportCaller = Parameters<ExportSlots['take']>[0];

/** What the thread of every export is given; each kind adds what it wants to know. */
export interface ExportOrder {
  readonly location: DatabaseLocation;
  readonly manner: ExportManner;
}

interface ExportWish<Order extends ExportOrder> {
  /** The beginning of the file's name. */
  readonly name: string;
  readonly thread: URL;
  readonly manner: Omit<Order['manner'], 'quotaPerUnit'> & AskedManner;
  readonly order: Omit<Order, keyof ExportOrder>;
}

/** Writes files, each in a thread and over a connection of its own: the relay and whoever writes go on. */
export class ExportService {
  readonly #dependencies: ExportServiceDependencies;

  constructor(dependencies: ExportServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async start<Order extends ExportOrder>(caller: ExportCaller, wish: ExportWish<Order>): Promise<ExportFile> {
    const { location, options, slots, patienceMs } = this.#dependencies;
    const { name, thread, manner: asked } = wish;
    const manner = { ...asked, quotaPerUnit: options.values.QuotaPerUnit };
    const slot = await slots.take(caller);
    try {
      const order = { ...wish.order, location: plain(location), manner };
      const { total, backend, chunks, end } = await startThread(thread, order);
      const content = exportStream(chunks, patienceMs);
      slot.onEnd(() => content.destroy());
      finished(content, () => {
        slot.leave();
        void this.#end(backend, end).finally(slot.release);
      });
      const time = timeWriter(manner.timeZone)(nowInSeconds()).replace(/\D+/g, '-');
      return { name: `${name}-${time}`, format: manner.format, total, content };
    } catch (error) {
      slot.release();
      throw error;
    }
  }

  /** A thread that ends does not end what its connection is asking for. */
  async #end(backend: number | undefined, endThread: () => Promise<unknown>): Promise<void> {
    if (backend !== undefined) await this.#dependencies.connections.cancel(backend).catch(() => undefined);
    await endThread();
  }
}

/** What a thread can be given: the settings are more than this. */
const plain = ({ dataDir, databaseUrl }: DatabaseLocation): DatabaseLocation => ({ dataDir, databaseUrl });
