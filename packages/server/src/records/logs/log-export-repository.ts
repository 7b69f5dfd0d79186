import { tagsMember } from '@headgate/contract';
import { sql } from 'kysely';
import { backendPid } from '../../platform/db/backend.ts';
import { type Database, type DatabaseLocation, openForExport } from '../../platform/db/database.ts';
import { readArrays } from '../../platform/db/sqlite-dialect.ts';
import { columnIndex, type ExportedLog, readColumns } from './log-export-row.ts';
import type { LogFilter } from './log-filter.ts';
import { type LogCursor, selectLogs } from './log-list-repository.ts';
import { narrowLogFilter } from './log-request-repository.ts';

/** Small enough to keep queries short, large enough to keep their overhead low. */
const rowsPerPage = 2000;

/** The logs of an export: those that existed at its start. */
interface LogExportPlan {
  readonly filter: LogFilter;
  readonly lastId: number;
  readonly total: number;
}

/** Opens a separate read-only connection for one export. */
export const openLogExport = async (location: DatabaseLocation): Promise<LogExportRepository> =>
  new LogExportRepository(await openForExport(location));

export class LogExportRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Determined in one snapshot; logs written later are not included. */
  plan(requested: LogFilter): Promise<LogExportPlan> {
    const transaction = this.#database.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
    return transaction.execute(async (database) => {
      const filter = await narrowLogFilter(database, requested);
      const last = await database.selectFrom('logs').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
      const { total } = await selectLogs(database, filter)
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { filter, lastId: last?.id ?? 0, total };
    });
  }

  /** Newest first, page by page, so that each query is short and does not block writes. */
  async *pages({ filter, lastId }: LogExportPlan, details: Details): AsyncGenerator<readonly ExportedLog[]> {
    let before: Page['before'];
    for (;;) {
      const rows = await this.#page(filter, { before, lastId, details });
      if (rows.length > 0) yield rows;
      const last = rows.at(-1);
      if (!last || rows.length < rowsPerPage) return;
      before = { created_at: last[columnIndex.created_at], id: last[columnIndex.id] };
    }
  }

  backend(): Promise<number | undefined> {
    return backendPid(this.#database);
  }

  close(): Promise<void> {
    return this.#database.destroy();
  }

  async #page(filter: LogFilter, { before, lastId, details }: Page): Promise<readonly ExportedLog[]> {
    const query = selectLogs(this.#database, filter, before)
      .select(readColumns.map((name) => (name === 'detail' ? read[details].as(name) : name)))
      .where('id', '<=', lastId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(rowsPerPage);
    // Columns are selected in the order of the type.
    return (await readArrays(this.#database, query)) as unknown as readonly ExportedLog[];
  }
}

/** Details are the longest part of a row. The text format needs them only for events and tags. */
type Details = 'all' | 'of events';

const read = {
  all: sql.ref<string>('detail'),
  'of events': sql<string>`case when substr(detail, 1, 8) = '{"event"' or detail like ${`%"${tagsMember}":{%`}
    then detail else '' end`,
};

interface Page {
  readonly before: LogCursor | undefined;
  readonly lastId: number;
  readonly details: Details;
}
