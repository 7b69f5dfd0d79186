import { logType } from '@headgate/contract';
import { sql } from 'kysely';
import { isPostgres } from '../../platform/db/backend.ts';
import type { Database } from '../../platform/db/database.ts';
import {
  isLockTimeout,
  type Month,
  type MonthTable,
  monthTableNames,
  partitionName,
  storedMonths,
} from '../../platform/db/months.ts';
import type { LogRow } from '../../platform/db/rows.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { LogRepository } from './log-repository.ts';
import { RollupRepository } from './rollup-repository.ts';
import { UnloggedQuotaRepository } from './unlogged-quota-repository.ts';

/** How long readers of a month may be blocked. */
const lockMs = 200;

/** If more logs than this have been added to an old month since, its logs are deleted row by row. */
const maxNewLogs = 1000;

/** Rollups without month partitions. */
const smallRollups = ['site_hours', 'latency_hours', 'served_latency_hours', 'tag_hours'] as const;

/** Empties whole months by truncating partitions, which is faster than deleting rows. */
export class MonthCleaningRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): MonthCleaningRepository {
    return new MonthCleaningRepository(transaction.database);
  }

  /** True if the lock timeout passed because the month was being read. */
  isLocked(error: unknown): boolean {
    return isLockTimeout(error);
  }

  /** Months that end before a time and have logs, oldest first. */
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
   * Deletes the logs of a month up to an id, with their rollups, and returns their number. Returns undefined if too
   * many logs are newer. Call in a transaction.
   */
  async empty(month: Month, lastId: number): Promise<number | undefined> {
    const rollups = new RollupRepository(this.#database);
    await rollups.lock();
    await sql`select set_config('lock_timeout', ${String(lockMs)}, true)`.execute(this.#database);
    const parts = sql.join(monthTableNames.map((table) => partNamed(table, month)));
    await sql`lock table ${parts} in access exclusive mode`.execute(this.#database);
    const newLogs = await this.#newLogs(month, lastId);
    if (newLogs.length > maxNewLogs) return undefined;
    const rolledUpTo = await rollups.rolledUpTo();
    const kept = newLogs.filter(({ id }) => id <= rolledUpTo);
    const count = await this.#count(month);
    await this.#addUnlogged(month, kept);
    await sql`truncate ${parts}`.execute(this.#database);
    for (const table of smallRollups) await this.#deleteHours(table, month);
    // These logs get new ids, so that they are rolled up again.
    if (newLogs.length > 0) await new LogRepository(this.#database).insert(newLogs);
    return count - kept.length;
  }

  async #newLogs(month: Month, lastId: number): Promise<LogRow[]> {
    const { rows } = await sql<LogRow>`select * from ${partNamed('logs', month)} where id > ${lastId}
      order by id limit ${sql.lit(maxNewLogs + 1)}`.execute(this.#database);
    return rows;
  }

  /** Number of logs of the month in the rollups. */
  async #count(month: Month): Promise<number> {
    const { rows } = await sql<{ count: number | null }>`select sum(${sql.ref('rows')})::bigint as count
      from ${partNamed('usage_days', month)}`.execute(this.#database);
    return rows[0]?.count ?? 0;
  }

  async #addUnlogged(month: Month, kept: readonly LogRow[]): Promise<void> {
    const consumed = kept.filter(({ type }) => type === logType.consumption);
    const rows = JSON.stringify(consumed.map(({ user_id, quota }) => ({ user_id, quota })));
    await new UnloggedQuotaRepository(this.#database).addSums(sql`select user_id, sum(quota) as quota from (
        select user_id, quota from ${partNamed('usage_days', month)} where type = ${sql.lit(logType.consumption)}
        union all select user_id, -quota from json_to_recordset(${rows}::json) as kept (user_id bigint, quota bigint)
      ) as deleted group by user_id`);
  }

  async #deleteHours(table: (typeof smallRollups)[number], { start, end }: Month): Promise<void> {
    await this.#database.deleteFrom(table).where('hour', '>=', secondOf(start)).where('hour', '<', end).execute();
  }
}

const partNamed = (table: MonthTable, month: Month) => sql.table(partitionName(table, month));

/** Replaces −∞ with a number that can be compared with a column. */
const secondOf = (time: number): number => Math.max(time, Number.MIN_SAFE_INTEGER);
