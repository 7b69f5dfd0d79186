import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import {
  isLockedElsewhere,
  type Month,
  type MonthTable,
  monthOf,
  monthTableNames,
  monthTables,
  partOf,
  storedMonths,
} from '../../platform/db/months.ts';

/** Any number, as long as nothing else in the database uses it. */
const monthLock = 0x68_67_6d_6f;

/** So long at most is anybody kept waiting who looks at times that no month was made for. */
const lockMs = 200;

/** Makes the parts of tables that PostgreSQL keeps by month. */
export class MonthRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Makes the month of a time and the ones after it, as far as they are missing; false when something was in the way. */
  async make(time: number, ahead: number): Promise<boolean> {
    for (let months = 0; months <= ahead; months += 1) {
      if (!(await this.#make(monthOf(time, months)))) return false;
    }
    return true;
  }

  /** All or nothing: a month that only some of the tables have would be of no use. */
  async #make(month: Month): Promise<boolean> {
    if (await this.#isThere(month)) return true;
    try {
      return await this.#database.transaction().execute(async (connection) => {
        const { rows } = await sql<{
          is_mine: boolean;
        }>`select pg_try_advisory_xact_lock(${sql.lit(monthLock)}) as is_mine,
          set_config('lock_timeout', ${String(lockMs)}, true)`.execute(connection);
        if (!rows[0]?.is_mine) return false;
        // Another node may have made it meanwhile.
        if (await new MonthRepository(connection).#isThere(month)) return true;
        for (const table of monthTableNames) await addPart(connection, table, month);
        return true;
      });
    } catch (error) {
      if (isLockedElsewhere(error)) return false;
      throw error;
    }
  }

  async #isThere({ start, end }: Month): Promise<boolean> {
    return (await storedMonths(this.#database)).some((stored) => stored.start <= start && stored.end >= end);
  }
}

/** What is there of that time, because nobody had made the month, moves into it. */
async function addPart(database: Database, table: MonthTable, month: Month): Promise<void> {
  const [parent, leftOver, part] = [table, `${table}_later`, partOf(table, month)].map((name) => sql.table(name));
  const time = sql.ref(monthTables[table]);
  const [start, end] = [sql.lit(month.start), sql.lit(month.end)];
  await sql`lock table ${leftOver} in access exclusive mode`.execute(database);
  await sql`create table ${part} (like ${parent} including defaults)`.execute(database);
  // Ids are unique by their sequence; in a part they are looked up by this.
  if (table === 'logs') await sql`alter table ${part} add primary key (id)`.execute(database);
  // Room for the sums that grow while their hour lasts: they stay where they are, and no index is written again.
  else await sql`alter table ${part} set (fillfactor = 90)`.execute(database);
  await sql`with moved as (delete from ${leftOver} where ${time} >= ${start} and ${time} < ${end} returning *)
    insert into ${part} select * from moved`.execute(database);
  // Keeps nobody from reading and writing the table, unlike a part that is made in its place.
  await sql`alter table ${parent} attach partition ${part} for values from (${start}) to (${end})`.execute(database);
}
