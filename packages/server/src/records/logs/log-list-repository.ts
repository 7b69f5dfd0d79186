import { logType } from '@headgate/contract';
import type { Database } from '../../platform/db/database.ts';
import type { PageRequest } from '../../platform/db/paging.ts';
import { LogCountRepository, matching } from './log-count-repository.ts';
import type { LogFilter } from './log-filter.ts';
import { placeOf, type Reading, readingsOf, withRows } from './log-page.ts';
import type { LogRow } from './log-repository.ts';
import { narrowed } from './log-request-repository.ts';
import { RememberedNames } from './remembered-names.ts';

/** Lists logs and adds them up by way of the hourly sums: the last page costs what the first does. */
export class LogListRepository {
  readonly #database: Database;
  readonly #names = new RememberedNames();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Newest first. */
  page(asked: LogFilter, { p, size }: PageRequest): Promise<{ rows: LogRow[]; total: number }> {
    return this.#atOneMoment(async (database) => {
      const filter = await narrowed(database, asked);
      const count = new LogCountRepository(database, filter, this.#names);
      const stretches = await count.stretches();
      const total = stretches.reduce((sum, { rows }) => sum + rows, 0);
      const place = placeOf(p * size, stretches);
      if (!place) return { rows: [], total };
      const nearby = await count.hourly(withRows(stretches.slice(place.index), place.skip + size), size);
      return { rows: await read(database, filter, readingsOf(nearby, place.skip, size)), total };
    });
  }

  /** The quota consumed over the filter, whatever type it names. */
  async consumedQuota(asked: LogFilter): Promise<number> {
    // What failed for a reason cost nothing, and changes are no consumption.
    if (asked.exact.reason !== undefined || asked.about !== undefined) return 0;
    return this.#atOneMoment(async (database) => {
      const consumption = { ...asked, exact: { ...asked.exact, type: logType.consumption } };
      const filter = await narrowed(database, consumption);
      return new LogCountRepository(database, filter, this.#names).quota();
    });
  }

  /** Sums and rows belong together, whatever is written meanwhile. */
  #atOneMoment<T>(work: (database: Database) => Promise<T>): Promise<T> {
    return this.#database.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
  }
}

async function read(database: Database, filter: LogFilter, readings: readonly Reading[]): Promise<LogRow[]> {
  const [first, ...others] = readings.map(({ from, to, offset, limit }) => {
    const logs = database
      .selectFrom('logs')
      .selectAll()
      .where((where) => matching(where, filter))
      .where('created_at', '>=', from)
      .where('created_at', '<=', to)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset);
    // A part of a union has no limit of its own in SQLite; a query inside it has.
    return database.selectFrom(logs.as('reading')).selectAll();
  });
  if (!first) return [];
  const rows = await others.reduce((all, other) => all.unionAll(other), first).execute();
  return rows.sort((one, other) => other.created_at - one.created_at || other.id - one.id);
}
