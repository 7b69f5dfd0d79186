import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { isPostgres } from '../../platform/db/backend.ts';
import { runCachedStatement, splitIntoBatches } from '../../platform/db/cached-statement.ts';
import type { Database } from '../../platform/db/database.ts';
import type { NewLog } from '../../records/logs/log-repository.ts';
import { logColumns, logValues } from '../../records/logs/log-values.ts';
import { rollUpAll } from '../../records/logs/rollup-repository.ts';

const logsAtOnce = 20_000;

/**
 * Writes many logs and their rollups. Indexes are dropped during the write, because with them millions of logs take an
 * hour.
 */
export async function fillLogs(database: Database, logs: Iterable<NewLog>): Promise<void> {
  const indexes = await dropIndexes(database);
  let part: NewLog[] = [];
  for (const log of logs) {
    part.push(log);
    if (part.length < logsAtOnce) continue;
    await insertLogs(database, part);
    part = [];
    // SQLite runs synchronously, so signals could not be handled without this.
    await turn();
  }
  await insertLogs(database, part);
  await rollUpAll(database);
  for (const index of indexes) await sql.raw(index).execute(database);
  if (isPostgres(database)) await sql`vacuum analyze`.execute(database);
}

const droppedIndexes = sql.join(
  ['logs_user', 'logs_model', 'logs_channel', 'logs_others', 'usage_hours_user_id', 'site_hours_model_name'].map(
    (name) => sql.lit(name),
  ),
);

/** Returns the statements that recreate the indexes. */
async function dropIndexes(database: Database): Promise<readonly string[]> {
  const { rows } = isPostgres(database)
    ? await sql<{ name: string; made: string }>`select indexname as name, replace(indexdef, ' ON ONLY ', ' ON ') as made
        from pg_indexes
        where indexname in (${droppedIndexes})`.execute(database)
    : await sql<{ name: string; made: string }>`select name, sql as made from sqlite_schema
        where name in (${droppedIndexes})`.execute(database);
  for (const { name } of rows) await sql`drop index ${sql.ref(name)}`.execute(database);
  return rows.map(({ made }) => made);
}

async function insertLogs(database: Database, logs: readonly NewLog[]): Promise<void> {
  await database.transaction().execute(async (connection) => {
    for (const part of splitIntoBatches(logs)) {
      await runCachedStatement(connection, `bench logs ${part.length}`, part.flatMap(logValues), () =>
        connection.insertInto('logs').values(part.map(inOrder)),
      );
    }
  });
}

/** Every row with the same columns in the same order. */
const inOrder = (log: NewLog): NewLog =>
  // Safe cast: all columns of a log are copied.
  Object.fromEntries(logColumns.map((column) => [column, log[column]])) as unknown as NewLog;
