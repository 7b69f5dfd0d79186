import { sql } from 'kysely';
import { arraysOf } from '../../platform/db/array-rows.ts';
import { backendOf } from '../../platform/db/backend.ts';
import { type Database, type DatabaseLocation, openForExport } from '../../platform/db/database.ts';
import { LogCountRepository, matching } from './log-count-repository.ts';
import { at, type ReadLog, readColumns } from './log-export-row.ts';
import type { LogFilter } from './log-filter.ts';
import { narrowed } from './log-request-repository.ts';
import type { Span } from './time-span.ts';

/** Small enough that nothing waits for long, large enough that asking costs little beside the answer. */
const rowsPerPage = 2000;

/** More hours than logs are ever kept. */
const mostHours = 10_000_000;

/** What is exported: logs that were there at the start, in spans that hold about a page each, newest first. */
interface LogExportPlan {
  readonly filter: LogFilter;
  readonly lastId: number;
  readonly spans: readonly Span[];
  readonly total: number;
}

/** Opens the database for one export: a connection of its own, which only reads. */
export const openLogExport = async (location: DatabaseLocation): Promise<LogExportRepository> =>
  new LogExportRepository(await openForExport(location));

export class LogExportRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Everything is decided at one moment; what is written later is no part of it. */
  plan(asked: LogFilter): Promise<LogExportPlan> {
    const transaction = this.#database.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
    return transaction.execute(async (database) => {
      const filter = await narrowed(database, asked);
      const count = new LogCountRepository(database, filter);
      const stretches = (await count.stretches()).filter(({ rows }) => rows > 0);
      const hours = await count.hourly(stretches, mostHours);
      const last = database.selectFrom('logs').select('id').orderBy('id', 'desc').limit(1);
      return {
        filter,
        lastId: (await last.executeTakeFirst())?.id ?? 0,
        spans: joined(hours),
        total: stretches.reduce((sum, { rows }) => sum + rows, 0),
      };
    });
  }

  /** Newest first, a page at a time: no read lasts, and none holds up what is written meanwhile. */
  async *pages({ filter, lastId, spans }: LogExportPlan, details: Details): AsyncGenerator<readonly ReadLog[]> {
    for (const span of spans) {
      let before = { created_at: span.to + 1, id: 0 };
      for (;;) {
        const rows = await this.#page(filter, { from: span.from, before, lastId, details });
        if (rows.length > 0) yield rows;
        const last = rows.at(-1);
        if (!last || rows.length < rowsPerPage) break;
        before = { created_at: last[at.created_at], id: last[at.id] };
      }
    }
  }

  backend(): Promise<number | undefined> {
    return backendOf(this.#database);
  }

  close(): Promise<void> {
    return this.#database.destroy();
  }

  async #page(filter: LogFilter, { from, before, lastId, details }: Page): Promise<readonly ReadLog[]> {
    const query = this.#database
      .selectFrom('logs')
      .select(readColumns.map((name) => (name === 'detail' ? read[details].as(name) : name)))
      .where((where) => matching(where, filter))
      .where('created_at', '>=', from)
      .where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'id'), '<', tuple(before.created_at, before.id)))
      .where('id', '<=', lastId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(rowsPerPage);
    return (await arraysOf(this.#database, query)) as unknown as readonly ReadLog[];
  }
}

/** Details are the longest part of a row; a sentence is made of those of events alone. */
type Details = 'all' | 'of events';

const read = {
  all: sql.ref<string>('detail'),
  'of events': sql<string>`case when substr(detail, 1, 8) = '{"event"' then detail else '' end`,
};

interface Page {
  readonly from: number;
  readonly before: { readonly created_at: number; readonly id: number };
  readonly lastId: number;
  readonly details: Details;
}

/** Neighbouring spans as one, as long as that has no more rows than are read at once. */
function joined(hours: readonly (Span & { readonly rows: number })[]): Span[] {
  const spans: { from: number; to: number; rows: number }[] = [];
  for (const { from, to, rows } of hours.filter((hour) => hour.rows > 0)) {
    const newer = spans.at(-1);
    if (newer && newer.rows + rows <= rowsPerPage) {
      newer.from = from;
      newer.rows += rows;
    } else {
      spans.push({ from, to, rows });
    }
  }
  return spans;
}
