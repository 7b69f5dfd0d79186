import { logType } from '@headgate/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { isPostgres } from '../../platform/db/is-postgres.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { upToDateTable } from '../../platform/db/up-to-date.ts';
import { counters, hourOf, rollUpKeys, secondsPerDay, secondsPerHour } from './roll-up.ts';
import { unpackHours, unpackTokenHours } from './stale-pack-repository.ts';
import { SumFoldRepository } from './sum-fold-repository.ts';
import { subtractFound } from './sum-subtraction-repository.ts';

/** Logs of hours that are deleted together: a moment, in which nobody waits but who folds. */
const mostAtOnce = 5000;
/** An hour with more is deleted row by row: it would take longer than a statement may. */
const mostInHour = 250_000;
/** Hours that are looked at to find out which are next. */
const mostHours = 24;

/** Sums by nothing but their hour. */
const hourSums = ['log_hours', 'latency_hours', 'failure_hours'] as const;
/** Sums that lie in another order, and by what they are looked for. */
const namedSums = { model_hours: 'model_name', channel_hours: 'channel', user_hours: 'user_id' } as const;

/** Whole hours that follow one another. */
export interface HourRange {
  /** The first second. */
  readonly start: number;
  /** The first second after it. */
  readonly end: number;
  readonly hours: readonly number[];
}

/** There is something in these hours that is to stay, or was not there a moment ago. */
export class HoursNotWhole extends Error {
  override readonly name = 'HoursNotWhole';
}

/** Deletes whole hours of the log on PostgreSQL: their sums go as they are, and nothing is taken off them log by log. */
export class HourCleaningRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): HourCleaningRepository {
    return new HourCleaningRepository(transaction.database);
  }

  /** The oldest hours between two times that are to be deleted next. */
  async next(from: number, before: number): Promise<HourRange | undefined> {
    if (!isPostgres(this.#database)) return undefined;
    const { rows: found } = await sql<{ hour: number; logs: number }>`
      select hour, sum(${sql.ref('rows')}) as logs from ${upToDateTable(this.#database, 'log_hours')}
      where hour >= ${from} and hour < ${hourOf(before)} group by hour
      order by hour limit ${sql.lit(mostHours)}`.execute(this.#database);
    const first = found.findIndex(({ logs }) => logs <= mostInHour);
    if (first === -1) return found.length < mostHours ? undefined : this.next(endOf(found), before);
    const hours = found.slice(first, first + 1);
    let logs = hours[0]?.logs ?? 0;
    for (const each of found.slice(first + 1)) {
      logs += each.logs;
      if (logs > mostAtOnce) break;
      hours.push(each);
    }
    return { start: hours[0]?.hour ?? 0, end: endOf(hours), hours: hours.map(({ hour }) => hour) };
  }

  /** Deletes the logs of whole hours with all their sums and gives their number. To be called inside a transaction. */
  async empty(range: HourRange, lastId: number): Promise<number> {
    const count = await this.#deleteLogs(range, lastId);
    // After the logs: whatever any of those added is then in the sums, so that equal numbers are the same logs.
    await new SumFoldRepository(this.#database).foldAlone();
    if ((await this.#counted(range)) !== count) throw new HoursNotWhole();
    await unpackHours(this.#database, range.hours);
    await unpackTokenHours(this.#database, range.hours);
    await this.#addUnlogged(range);
    await this.#takeOffDays(range);
    await this.#deleteSums(range);
    return count;
  }

  async #deleteLogs({ start, end }: HourRange, lastId: number): Promise<number> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('logs')
      .where('created_at', '>=', start)
      .where('created_at', '<', end)
      .where('id', '<=', lastId)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }

  async #counted(range: HourRange): Promise<number> {
    const { rows } = await sql<{ logs: number | null }>`select sum(${sql.ref('rows')}) as logs from log_hours
      where ${within(range)}`.execute(this.#database);
    return rows[0]?.logs ?? 0;
  }

  /** As a change of each user, which is folded later: nobody's row is locked for as long as this takes. */
  async #addUnlogged(range: HourRange): Promise<void> {
    await sql`insert into balance_changes (kind, owner_id, quota, limited, unlogged, requests, used_time)
      select 'user', user_id, 0, 0, sum(quota)::bigint, 0, 0 from usage_hours
      where ${within(range)} and type = ${sql.lit(logType.consumption)}
      group by user_id having sum(quota) <> 0`.execute(this.#database);
  }

  async #takeOffDays(range: HourRange): Promise<void> {
    const day = sql`hour - hour % ${sql.lit(secondsPerDay)}`;
    const sums = counters.map((counter) => sql`sum(${sql.ref(counter)})::bigint as ${sql.ref(counter)}`);
    await subtractFound(
      this.#database,
      { name: 'user_days', keys: rollUpKeys.user_days, counters, emptying: ['rows'] },
      { from: range.start - (range.start % secondsPerDay), to: range.end },
      sql`select ${day} as day, type, user_id, ${sql.join(sums)} from usage_hours
        where ${within(range)} group by 1, 2, 3`,
    );
  }

  async #deleteSums(range: HourRange): Promise<void> {
    const named = Object.entries(namedSums).map(
      ([table, column]) => sql`${sql.ref(`deleted_${table}`)} as (delete from ${sql.table(table)} as sums
        using (select distinct ${sql.ref(column)} from gone) as names
        where sums.${sql.ref(column)} = names.${sql.ref(column)} and ${within(range)})`,
    );
    await sql`with gone as (delete from usage_hours where ${within(range)}
        returning ${sql.join(Object.values(namedSums).map((column) => sql.ref(column)))}),
      ${sql.join(named)} select`.execute(this.#database);
    for (const table of hourSums) {
      await sql`delete from ${sql.table(table)} where ${within(range)}`.execute(this.#database);
    }
  }
}

const endOf = (hours: readonly { readonly hour: number }[]): number => (hours.at(-1)?.hour ?? 0) + secondsPerHour;

const within = ({ start, end }: HourRange) => sql<boolean>`hour >= ${sql.lit(start)} and hour < ${sql.lit(end)}`;
