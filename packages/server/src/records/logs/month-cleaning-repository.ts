import { logType } from '@headgate/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { foldLock } from '../../platform/db/fold-lock.ts';
import { isPostgres } from '../../platform/db/is-postgres.ts';
import {
  isLockedElsewhere,
  type Month,
  type MonthTable,
  monthTableNames,
  partOf,
  storedMonths,
} from '../../platform/db/months.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { LogRepository, type LogRow } from './log-repository.ts';
import { SumFoldRepository } from './sum-fold-repository.ts';

/** So long at most is anybody kept waiting who looks at the month. */
const lockMs = 200;

/** More than these that came since the cleanup began are not worth being kept apart. */
const mostLate = 1000;

/** Small tables of sums, which have no parts. */
const smallSums = ['log_hours', 'model_hours', 'channel_hours', 'latency_hours', 'failure_hours'] as const;

/** Empties whole months of the log at once: PostgreSQL throws the files away in place of looking at the rows. */
export class MonthCleaningRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): MonthCleaningRepository {
    return new MonthCleaningRepository(transaction.database);
  }

  /** Whether somebody was looking at the month for too long to wait for him. */
  isLocked(error: unknown): boolean {
    return isLockedElsewhere(error);
  }

  /** Months that were over at a time and have logs, oldest first. */
  async before(time: number): Promise<readonly Month[]> {
    if (!isPostgres(this.#database)) return [];
    const months = (await storedMonths(this.#database)).filter(({ end }) => end <= time);
    const filled: Month[] = [];
    for (const month of months) {
      const { rows } = await sql`select from ${partNamed('logs', month)} limit 1`.execute(this.#database);
      if (rows.length > 0) filled.push(month);
    }
    return filled;
  }

  /**
   * Deletes the logs of a month with all their sums and gives their number; what came after a log stays. Undefined when
   * that is too much. To be called inside a transaction. Nobody waits for it but who looks at that month.
   */
  async empty(month: Month, lastId: number): Promise<number | undefined> {
    // Before the tables: who folds takes them in this order too.
    await sql`select pg_advisory_xact_lock(${sql.lit(foldLock)}), set_config('lock_timeout', ${String(lockMs)}, true)`.execute(
      this.#database,
    );
    const parts = sql.join(monthTableNames.map((table) => partNamed(table, month)));
    await sql`lock table ${parts} in access exclusive mode`.execute(this.#database);
    const late = await this.#since(month, lastId);
    if (late.length > mostLate) return undefined;
    // From here on whatever was logged in that month is in the sums.
    await new SumFoldRepository(this.#database).foldAlone();
    const count = await this.#count(month);
    await this.#addUnlogged(month, late);
    await sql`truncate ${parts}`.execute(this.#database);
    for (const table of smallSums) await this.#deleteBetween(table, 'hour', month);
    // Before the packs, as whoever adds up by token names takes them; its rows lead to sums that are to be forgotten.
    await this.#unpackTokenHours(month);
    await this.#deleteBetween('usage_packs', 'start', month);
    if (late.length > 0) await new LogRepository(this.#database).insert(late);
    return count - late.length;
  }

  async #since(month: Month, lastId: number): Promise<LogRow[]> {
    const { rows } = await sql<LogRow>`select * from ${partNamed('logs', month)} where id > ${lastId}
      order by id limit ${sql.lit(mostLate + 1)}`.execute(this.#database);
    return rows;
  }

  async #count({ start, end }: Month): Promise<number> {
    const { rows } = await this.#database
      .selectFrom('log_hours')
      .select(({ fn }) => fn.sum<number | null>('rows').as('rows'))
      .where('hour', '>=', secondOf(start))
      .where('hour', '<', end)
      .executeTakeFirstOrThrow();
    return rows ?? 0;
  }

  /** As a change of each user, which is folded later: twenty thousand users are not locked for this. */
  async #addUnlogged(month: Month, late: readonly LogRow[]): Promise<void> {
    const consumed = late.filter(({ type }) => type === logType.consumption);
    const kept = JSON.stringify(consumed.map(({ user_id, quota }) => ({ user_id, quota })));
    await sql`insert into balance_changes (kind, owner_id, quota, limited, unlogged, requests, used_time)
      select 'user', user_id, 0, 0, sum(quota)::bigint, 0, 0 from (
        select user_id, quota from ${partNamed('user_days', month)} where type = ${sql.lit(logType.consumption)}
        union all select user_id, -quota from json_to_recordset(${kept}::json) as late (user_id bigint, quota bigint)
      ) as cleaned group by user_id having sum(quota) <> 0`.execute(this.#database);
  }

  async #unpackTokenHours({ start, end }: Month): Promise<void> {
    await this.#database
      .updateTable('token_packs')
      .set({ rows: -1 })
      .where('hour', '>=', secondOf(start))
      .where('hour', '<', end)
      .execute();
  }

  async #deleteBetween(table: (typeof smallSums)[number] | 'usage_packs', time: string, { start, end }: Month) {
    await sql`delete from ${sql.table(table)} where ${sql.ref(time)} >= ${secondOf(start)}
      and ${sql.ref(time)} < ${end}`.execute(this.#database);
  }
}

const partNamed = (table: MonthTable, month: Month) => sql.table(partOf(table, month));

/** What a column of seconds can be compared with. */
const secondOf = (time: number): number => Math.max(time, Number.MIN_SAFE_INTEGER);
