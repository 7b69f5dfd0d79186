import { setImmediate as turn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { inParts, runBuilt } from '../../platform/db/built-statement.ts';
import type { Database } from '../../platform/db/database.ts';
import { isPostgres } from '../../platform/db/is-postgres.ts';
import type { NewLog } from '../../records/logs/log-repository.ts';
import { logColumns, valuesOf } from '../../records/logs/log-values.ts';
import { failureSums, latencySums } from '../../records/logs/request-sums.ts';
import { counters, hourOf, rollUpKeys, secondsPerDay, writtenTables } from '../../records/logs/roll-up.ts';

const fewestAtOnce = 20_000;

/**
 * Writes logs that come in the order of their time, and then their sums, a day in one statement: the product's own way, log
 * by log, takes an hour for millions. What comes out is the same, which the caller checks.
 */
export async function fillLogs(database: Database, logs: Iterable<NewLog>): Promise<void> {
  const indexes = await dropIndexes(database);
  let part: NewLog[] = [];
  for (const log of logs) {
    // Cut where an hour ends, so that sums of an hour are made once.
    const isCut = part.length >= fewestAtOnce && hourOf(log.created_at) !== hourOf(part.at(-1)?.created_at ?? 0);
    if (isCut) {
      await insertLogs(database, part);
      part = [];
      // SQLite never waits, so that without this a signal would.
      await turn();
    }
    part.push(log);
  }
  await insertLogs(database, part);
  await insertSums(database);
  for (const index of indexes) await sql.raw(index).execute(database);
  if (isPostgres(database)) await sql`vacuum analyze`.execute(database);
}

const droppedIndexes = sql.join(
  ['logs_user', 'logs_model', 'logs_channel', 'logs_others', 'usage_hours_user_id', 'usage_hours_channel'].map((name) =>
    sql.lit(name),
  ),
);

/** Gives the statements that make them again. */
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
    for (const part of inParts(logs)) {
      await runBuilt(connection, `bench logs ${part.length}`, part.flatMap(valuesOf), () =>
        connection.insertInto('logs').values(part.map(inOrder)),
      );
    }
    for (const part of inParts(latencySums(logs))) await connection.insertInto('latency_hours').values(part).execute();
    for (const part of inParts(failureSums(logs))) await connection.insertInto('failure_hours').values(part).execute();
  });
}

const inOrder = (log: NewLog): NewLog =>
  Object.fromEntries(logColumns.map((column) => [column, log[column]])) as unknown as NewLog;

const times: Partial<Record<string, RawBuilder<unknown>>> = {
  hour: sql`created_at - created_at % 3600`,
  day: sql`created_at - created_at % 86400`,
};

const counted: Partial<Record<string, RawBuilder<unknown>>> = {
  model_hours: sql`(model_name <> '' or ${sql.ref('group')} <> '')`,
  channel_hours: sql`channel <> 0`,
};

async function insertSums(database: Database): Promise<void> {
  const { first, last } = await database
    .selectFrom('logs')
    .select(({ fn }) => [fn.min('created_at').as('first'), fn.max('created_at').as('last')])
    .executeTakeFirstOrThrow();
  for (let day = first - (first % secondsPerDay); day <= last; day += secondsPerDay) {
    for (const table of writtenTables) await insertSumsOf(database, table, day);
    await turn();
  }
  await sql`insert into log_owners (username, token_name, user_id)
    select distinct username, token_name, user_id from logs`.execute(database);
}

async function insertSumsOf(database: Database, table: (typeof writtenTables)[number], day: number): Promise<void> {
  const keys = rollUpKeys[table].map((key) => times[key] ?? sql.ref(key));
  const sums = counters.map((counter) => (counter === 'rows' ? sql`count(*)` : sql`sum(${sql.ref(counter)})`));
  const columns = sql.join([...rollUpKeys[table], ...counters].map((column) => sql.ref(column)));
  await sql`insert into ${sql.table(table)} (${columns}) select ${sql.join([...keys, ...sums])} from logs
    where created_at >= ${sql.lit(day)} and created_at < ${sql.lit(day + secondsPerDay)}
      and ${counted[table] ?? sql`true`}
    group by ${sql.join(keys)} order by ${sql.join(keys)}`.execute(database);
}
