import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { monthAt, monthTableNames, partitionName, storedMonths } from '../../platform/db/months.ts';
import { MonthRepository } from '../../records/months/month-repository.ts';

/**
 * Creates the monthly partitions since a time in a PostgreSQL database without logs, as if it had been in use since
 * then.
 */
export async function createPastMonths(database: Database, since: number): Promise<void> {
  const [past] = await storedMonths(database);
  const end = monthAt(since).start;
  if (!past || past.end <= end) return;
  await database.transaction().execute(async (connection) => {
    for (const table of monthTableNames) {
      const [parent, part] = [sql.table(table), sql.table(partitionName(table, past))];
      await sql`alter table ${parent} detach partition ${part}`.execute(connection);
      await sql`alter table ${parent} attach partition ${part} for values from (minvalue) to (${sql.lit(end)})`.execute(
        connection,
      );
    }
  });
  const months = new MonthRepository(database);
  for (let { start } = monthAt(since); start < past.end; start = monthAt(start, 1).start) await months.make(start, 0);
}
