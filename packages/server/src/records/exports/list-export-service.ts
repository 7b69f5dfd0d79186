import type { ChannelFilter, RedemptionFilter, TokenFilter, UserFilter } from '@headgate/contract';
import type { ExportFile } from '../../http/handlers.ts';
import type { RequestedFormat } from './export-format.ts';
import type { ExportCaller, ExportJob, ExportService } from './export-service.ts';
import type { ListSelection } from './list-export.ts';

/** Exportable lists with their filters. The names are also prefixes of the file names. */
export interface ExportedLists {
  readonly users: UserFilter;
  readonly tokens: TokenFilter;
  readonly channels: ChannelFilter;
  readonly codes: RedemptionFilter;
}

/** Input of the thread. */
export interface ListExportJob<List extends keyof ExportedLists = keyof ExportedLists> extends ExportJob {
  readonly list: List;
  readonly chosen: ListSelection<ExportedLists[List]>;
  /** User who requested the export, for lists that differ by user. */
  readonly userId: number;
  /** Key for encrypted values, for lists that show them. */
  readonly secretKey: string;
}

/** Exports lists. */
export class ListExportService {
  readonly #exports: ExportService;
  readonly #thread: URL;
  readonly #secretKey: string;

  constructor(exports: ExportService, thread: URL, secretKey: string) {
    this.#exports = exports;
    this.#thread = thread;
    this.#secretKey = secretKey;
  }

  start<List extends keyof ExportedLists>(
    caller: ExportCaller,
    { list, chosen, format }: Pick<ListExportJob<List>, 'list' | 'chosen'> & { readonly format: RequestedFormat },
  ): Promise<ExportFile> {
    return this.#exports.start<ListExportJob<List>>(caller, {
      name: list,
      thread: this.#thread,
      format,
      order: { list, chosen, userId: caller.id, secretKey: this.#secretKey },
    });
  }
}
