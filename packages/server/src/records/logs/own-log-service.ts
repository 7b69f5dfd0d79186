import type { Log } from '@headgate/contract';
import { readCursor } from './log-cursor.ts';
import { type LogQuery, parseLogFilter } from './log-filter.ts';
import type { LogListRepository } from './log-list-repository.ts';
import { presentOwnLog } from './present-log.ts';

interface Paging {
  readonly p: number;
  readonly size: number;
  readonly before: string;
  readonly after: string;
}

/** Logs as users see them, without operator data. */
export class OwnLogService {
  readonly #lists: LogListRepository;

  constructor(lists: LogListRepository) {
    this.#lists = lists;
  }

  async page(query: LogQuery & { readonly user_id: number }, paging: Paging) {
    const [before, after] = [readCursor(paging.before), readCursor(paging.after)];
    const page = await this.#lists.page(parseLogFilter(query), paging, before, after);
    return { ...page, rows: page.rows.map((row): Log => presentOwnLog(row)) };
  }
}
