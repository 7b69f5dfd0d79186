import { type LogHistogram, logType } from '@headgate/contract';
import { sql } from 'kysely';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import type { HistogramRange } from './histogram-range.ts';
import { secondsPerHour } from './hours.ts';
import { logCondition } from './log-condition-repository.ts';
import { type LogFilter, rollupFor } from './log-filter.ts';
import { maxLogsRead, narrowLogFilter, searchableTimeRange } from './log-request-repository.ts';

const failures = sql<number>`sum(case when type = ${sql.lit(logType.failure)} then rows else 0 end)`;

/** Logs over time: bars of whole hours are read from a rollup, shorter ones from the newest logs. */
export class LogHistogramRepository {
  readonly #database: Database;
  readonly #maxLogsRead: number;

  constructor(database: Database, max = maxLogsRead) {
    this.#database = database;
    this.#maxLogsRead = max;
  }

  /** Time of the first log of the caller's scope. */
  async firstTime({ exact: { user_id } }: LogFilter): Promise<number | undefined> {
    const first = await this.#database
      .selectFrom('logs')
      .select('created_at')
      .$if(user_id !== undefined, (query) => query.where('user_id', '=', user_id ?? 0))
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst();
    return first?.created_at;
  }

  async read(requestedFilter: LogFilter, range: HistogramRange): Promise<LogHistogram> {
    const filter = await narrowLogFilter(this.#database, { ...requestedFilter, within: range });
    const table = range.step % secondsPerHour === 0 ? rollupFor(filter) : undefined;
    return table === undefined ? this.#ofLogs(filter, range) : this.#ofHours(table, filter, range);
  }

  async #ofHours(
    table: 'site_hours' | 'usage_hours',
    filter: LogFilter,
    { from, to, step }: HistogramRange,
  ): Promise<LogHistogram> {
    const time = barOf('hour', from, step);
    const bars = await this.#database
      // Safe cast: the filter only uses columns that the rollup has.
      .selectFrom(currentTable(this.#database, table as 'usage_hours'))
      .where((where) => logCondition(where, filter))
      .where('hour', '>=', from)
      .where('hour', '<=', to)
      .select([time.as('time'), failures.as('failures')])
      .select(({ fn }) => fn.sum<number>('rows').as('rows'))
      .groupBy(time)
      .orderBy(time)
      .execute();
    return { from, to, step, counted_from: 0, bars };
  }

  async #ofLogs(filter: LogFilter, { from, to, step }: HistogramRange): Promise<LogHistogram> {
    const { oldest, within } = await searchableTimeRange(this.#database, filter, this.#maxLogsRead);
    const time = barOf('created_at', from, step);
    const bars = await this.#database
      .selectFrom('logs')
      .where((where) => logCondition(where, filter))
      .where('created_at', '>=', within.from)
      .where('created_at', '<=', within.to)
      .select(time.as('time'))
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .select(sql<number>`sum(case when type = ${sql.lit(logType.failure)} then 1 else 0 end)`.as('failures'))
      .groupBy(time)
      .orderBy(time)
      .execute();
    return { from, to, step, counted_from: oldest, bars };
  }
}

/** Start of the bar of a time. */
const barOf = (column: 'hour' | 'created_at', from: number, step: number) =>
  sql<number>`${sql.ref(column)} - (${sql.ref(column)} - ${sql.lit(from)}) % ${sql.lit(step)}`;
