import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import {
  isLockTimeout,
  type Month,
  type MonthTable,
  monthAt,
  monthTableNames,
  monthTables,
  partitionName,
  storedMonths,
} from '../../platform/db/months.ts';

/** Key of the advisory lock; must be unique in the database. */
const monthLock = 0x68_67_6d_6f;

/** Longest time that readers of the default partition are blocked, in milliseconds. */
const lockMs = 200;

/** Creates the month partitions of PostgreSQL tables. */
export class MonthRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Creates missing partitions for the month of a time and the following months. Returns false if a lock could not be
   * acquired.
   */
  async make(time: number, ahead: number): Promise<boolean> {
    for (let months = 0; months <= ahead; months += 1) {
      if (!(await this.#make(monthAt(time, months)))) return false;
    }
    return true;
  }

  /** One transaction, because a month is usable only if all tables have it. */
  async #make(month: Month): Promise<boolean> {
    if (await this.#isThere(month)) return true;
    try {
      return await this.#database.transaction().execute(async (connection) => {
        const { rows } = await sql<{
          is_mine: boolean;
        }>`select pg_try_advisory_xact_lock(${sql.lit(monthLock)}) as is_mine,
          set_config('lock_timeout', ${String(lockMs)}, true)`.execute(connection);
        if (!rows[0]?.is_mine) return false;
        // Another node may have created the month in the meantime.
        if (await new MonthRepository(connection).#isThere(month)) return true;
        for (const table of monthTableNames) await addPart(connection, table, month);
        return true;
      });
    } catch (error) {
      if (isLockTimeout(error)) return false;
      throw error;
    }
  }

  async #isThere({ start, end }: Month): Promise<boolean> {
    return (await storedMonths(this.#database)).some((stored) => stored.start <= start && stored.end >= end);
  }
}

/** Creates a partition and moves existing rows of that month into it from the default partition. */
async function addPart(database: Database, table: MonthTable, month: Month): Promise<void> {
  const [parent, leftOver, part] = [table, `${table}_later`, partitionName(table, month)].map((name) =>
    sql.table(name),
  );
  const time = sql.ref(monthTables[table]);
  const [start, end] = [sql.lit(month.start), sql.lit(month.end)];
  await sql`lock table ${leftOver} in access exclusive mode`.execute(database);
  await sql`create table ${part} (like ${parent} including defaults)`.execute(database);
  // A sequence makes ids unique; the primary key is for lookups.
  if (table === 'logs') await sql`alter table ${part} add primary key (id)`.execute(database);
  // Leaves space for counters that grow during their hour, so that updates do not touch the indexes.
  else await sql`alter table ${part} set (fillfactor = 90)`.execute(database);
  await sql`with moved as (delete from ${leftOver} where ${time} >= ${start} and ${time} < ${end} returning *)
    insert into ${part} select * from moved`.execute(database);
  // Attaching does not block reads and writes of the table, unlike creating a partition directly.
  await sql`alter table ${parent} attach partition ${part} for values from (${start}) to (${end})`.execute(database);
}
