import type { Database } from '../db/database.ts';
import { upToDate } from '../db/up-to-date.ts';
import type { LogFilter } from './log-filter.ts';
import { secondsPerDay } from './roll-up.ts';
import type { Span } from './time-span.ts';

/** Sums that are looked up one by one: of more, those of hours are as quick. */
const mostLookedUp = 20_000;

/** What tells these sums apart, and the name of their user, who mostly has but one. */
const known: readonly string[] = ['type', 'user_id', 'username'];

/** Counts the logs of a few users by day: of somebody who is busy all day the hours would be a hundred thousand sums. */
export class UserDayRepository {
  readonly #database: Database;
  readonly #filter: LogFilter;
  readonly #users: readonly number[];

  constructor(database: Database, filter: LogFilter) {
    this.#database = database;
    this.#filter = filter;
    const { user_id } = filter.exact;
    this.#users = user_id === undefined ? (filter.users ?? []) : [user_id];
  }

  /** The rows and the quota of each whole day of a time that has something, newest first; undefined: these sums cannot tell. */
  async days(span: Span) {
    const { exact, containing = {}, about } = this.#filter;
    const asked = [...Object.keys(exact), ...Object.keys(containing)];
    const isKnown = about === undefined && asked.every((column) => known.includes(column) && column in exact);
    const days = Array.from({ length: (span.to + 1 - span.from) / secondsPerDay }, (_, day) => day * secondsPerDay);
    if (!isKnown || this.#users.length === 0 || days.length === 0) return undefined;
    const types = exact.type === undefined ? await this.#types(span) : [exact.type];
    if (days.length * types.length * this.#users.length > mostLookedUp || types.length === 0) return undefined;
    if (await this.#hasOtherName()) return undefined;
    return this.#database
      .selectFrom(upToDate(this.#database, 'user_days'))
      .select('day')
      .select(({ fn }) => [fn.sum<number>('rows').as('rows'), fn.sum<number>('quota').as('quota')])
      .where(
        'day',
        'in',
        days.map((day) => span.from + day),
      )
      .where('type', 'in', types)
      .where('user_id', 'in', this.#users)
      .groupBy('day')
      .orderBy('day', 'desc')
      .execute();
  }

  /** Each is looked up by all of its key: types that nobody knows count too. */
  async #types({ from, to }: Span): Promise<readonly number[]> {
    const rows = await this.#database
      .selectFrom(upToDate(this.#database, 'log_hours'))
      .select('type')
      .distinct()
      .where('hour', '>=', from)
      .where('hour', '<=', to)
      .execute();
    return rows.map(({ type }) => type);
  }

  /** Whether one of the users has logs under a name that is not asked for. */
  async #hasOtherName(): Promise<boolean> {
    const { username } = this.#filter.exact;
    if (username === undefined) return false;
    const other = await this.#database
      .selectFrom(upToDate(this.#database, 'log_owners'))
      .select('user_id')
      .where('user_id', 'in', this.#users)
      .where('username', '<>', username)
      .limit(1)
      .executeTakeFirst();
    return other !== undefined;
  }
}
