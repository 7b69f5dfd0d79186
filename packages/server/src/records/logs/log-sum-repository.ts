import { type Expression, sql } from 'kysely';
import { upToDate } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import { logCondition } from './log-condition-repository.ts';
import { type LogFilter, rollupFor } from './log-filter.ts';
import { isEmpty, type Span, splitAtHours } from './time-span.ts';

/** Quota of the logs of a filter: whole hours are read from a rollup, the rest from the logs. */
export class LogSumRepository {
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
        .selectFrom(upToDate(this.#database, table as 'usage_hours'))
        .where((where) => logCondition(where, this.#filter))
        .where('hour', '>=', from)
        .where('hour', '<=', to)
        .select(({ fn }) => fn.sum('quota').as('quota'))
    );
  }
}
