import { logType, maxCountedLogs } from '@headgate/contract';
import { type Expression, sql } from 'kysely';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import type { PageRequest } from '../../platform/db/paging.ts';
import type { LogRow } from '../../platform/db/rows.ts';
import { logCondition } from './log-condition-repository.ts';
import { type LogFilter, rollupFor } from './log-filter.ts';
import { narrowLogFilter } from './log-request-repository.ts';
import { isEmpty, type Span, splitAtHours } from './time-span.ts';

/** Quota of the logs of a filter: whole hours are read from a rollup, the rest from the logs. */
class LogSumRepository {
  readonly #database: Database;
  readonly #filter: LogFilter;

  constructor(database: Database, filter: LogFilter) {
    this.#database = database;
    this.#filter = filter;
  }

  async quota(): Promise<number> {
    const { within } = this.#filter;
    if (isEmpty(within)) return 0;
    const table = rollupFor(this.#filter);
    if (table === undefined) return this.#add([this.#ofLogs(within)]);
    const { newest, whole, oldest } = splitAtHours(within);
    return this.#add([
      ...[newest, oldest].filter((span) => !isEmpty(span)).map((span) => this.#ofLogs(span)),
      ...(isEmpty(whole) ? [] : [this.#ofHours(table, whole)]),
    ]);
  }

  /** One statement for all sums. */
  async #add(sums: readonly Expression<unknown>[]): Promise<number> {
    const total = sql<number>`${sql.join(
      sums.map((sum) => sql`coalesce((${sum}), 0)`),
      sql` + `,
    )}`;
    const { quota } = await this.#database.selectNoFrom(total.as('quota')).executeTakeFirstOrThrow();
    return quota;
  }

  #ofLogs({ from, to }: Span) {
    return this.#database
      .selectFrom('logs')
      .where((where) => logCondition(where, this.#filter))
      .where('created_at', '>=', from)
      .where('created_at', '<=', to)
      .select(({ fn }) => fn.sum('quota').as('quota'));
  }

  #ofHours(table: 'site_hours' | 'usage_hours', { from, to }: Span) {
    return (
      this.#database
        // Safe cast: the filter only uses columns that the rollup has.
        .selectFrom(currentTable(this.#database, table as 'usage_hours'))
        .where((where) => logCondition(where, this.#filter))
        .where('hour', '>=', from)
        .where('hour', '<=', to)
        .select(({ fn }) => fn.sum('quota').as('quota'))
    );
  }
}

/** Position of a log in the list. */
export interface LogCursor {
  readonly created_at: number;
  readonly id: number;
}

export interface LogPage {
  readonly rows: LogRow[];
  /** Exact up to the count limit. */
  readonly total: number;
  /** True if there are more than `total`; further logs are read with a cursor. */
  readonly isMore: boolean;
}

export class LogListRepository {
  readonly #database: Database;
  readonly #maxCounted: number;

  constructor(database: Database, maxCounted = maxCountedLogs) {
    this.#database = database;
    this.#maxCounted = maxCounted;
  }

  /** Newest first. Returns only logs before, or only logs after, these cursors in time. */
  page(requestedFilter: LogFilter, { p, size }: PageRequest, before?: LogCursor, after?: LogCursor): Promise<LogPage> {
    return this.#atOneMoment(async (database) => {
      const logs = selectLogs(database, await narrowLogFilter(database, requestedFilter), before).$if(
        after !== undefined,
        (query) =>
          query.where(({ eb, refTuple, tuple }) =>
            eb(refTuple('created_at', 'id'), '>', tuple(after?.created_at ?? 0, after?.id ?? 0)),
          ),
      );
      const counted = await database
        .selectFrom(
          logs
            .select('id')
            .limit(this.#maxCounted + 1)
            .as('counted'),
        )
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      const total = Math.min(counted.count, this.#maxCounted);
      const offset = p * size;
      const rows =
        offset >= total
          ? []
          : await logs
              .selectAll()
              .orderBy('created_at', 'desc')
              .orderBy('id', 'desc')
              .limit(Math.min(size, total - offset))
              .offset(offset)
              .execute();
      return { rows, total, isMore: counted.count > total };
    });
  }

  /** The log at a cursor, optionally of one user. */
  find({ created_at, id }: LogCursor, userId?: number): Promise<LogRow | undefined> {
    return this.#database
      .selectFrom('logs')
      .selectAll()
      .where('created_at', '=', created_at)
      .where('id', '=', id)
      .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 0))
      .executeTakeFirst();
  }

  /** The newest log of a request, optionally of one user. */
  async findRequest(request_id: string, userId?: number): Promise<LogRow | undefined> {
    const exact = userId === undefined ? { request_id } : { request_id, user_id: userId };
    const within = { from: 0, to: Number.MAX_SAFE_INTEGER };
    const { rows } = await this.page({ exact, within, view: 'requests' }, { p: 0, size: 1 });
    return rows[0];
  }

  /** Current names of the channels of logs. */
  async channelNames(channels: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const ids = [...new Set(channels)].filter((id) => id !== 0);
    if (ids.length === 0) return new Map();
    const rows = await this.#database.selectFrom('channels').select(['id', 'name']).where('id', 'in', ids).execute();
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** Consumed quota of the filtered logs. Ignores the type of the filter. */
  async consumedQuota(requestedFilter: LogFilter): Promise<number> {
    // Failures and audit events consume no quota.
    if (requestedFilter.exact.reason !== undefined || requestedFilter.about !== undefined) return 0;
    return this.#atOneMoment(async (database) => {
      const consumption = {
        ...requestedFilter,
        view: undefined,
        exact: { ...requestedFilter.exact, type: logType.consumption },
      };
      return new LogSumRepository(database, await narrowLogFilter(database, consumption)).quota();
    });
  }

  /** Reads in one snapshot, so that counts, sums and rows are consistent. */
  #atOneMoment<T>(work: (database: Database) => Promise<T>): Promise<T> {
    return this.#database.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
  }
}

/** Logs of a filter, starting after the cursor. */
export function selectLogs(database: Database, filter: LogFilter, before?: LogCursor) {
  return database
    .selectFrom('logs')
    .where((where) => logCondition(where, filter))
    .where('created_at', '>=', filter.within.from)
    .where('created_at', '<=', filter.within.to)
    .$if(before !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'id'), '<', tuple(before?.created_at ?? 0, before?.id ?? 0)),
      ),
    );
}
