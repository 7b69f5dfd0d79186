import { setTimeout as pause } from 'node:timers/promises';
import { type QueryExecutorProvider, sql } from 'kysely';

/** The tables that are divided into months, with the column that says when. */
export const monthTables: Readonly<Record<string, string>> = {
  logs: 'created_at',
  usage_hours: 'hour',
  user_hours: 'hour',
  user_days: 'day',
};

/** So much is read in a moment: it needs no preparation. */
const smallBytes = 32 * 1024 * 1024;

/** What is past ends so long from now, for it must not end before the tables are divided. */
const fewestDaysAhead = 31;

/** A preparation whose time is nearer than this is of no use any more. */
const soonest = () => Date.now() / 1000 + 7 * 86_400;

const lockPatienceMs = 500;
const mostAttempts = 600;

/**
 * Proves of large tables that all their rows are older than a time to come, while they are in use: then they can become the
 * part of what is past in a moment. Each step is a transaction of its own, and is left out when it was done before.
 */
export async function prepareMonths(database: QueryExecutorProvider, isSmall = smallBytes): Promise<void> {
  if (!(await isUndivided(database))) return;
  let bound = await pastBoundOf(database);
  // Somebody began long ago, and never came to the end.
  if (bound !== undefined && bound < soonest()) {
    await unprepareMonths(database);
    bound = undefined;
  }
  if (bound === undefined && (await sizeOf(database)) <= isSmall) return;
  bound ??= boundFrom(new Date());
  for (const [table, time] of Object.entries(monthTables)) await prepare(database, { table, time, bound });
}

/** Takes it back: until the tables are divided nothing may be written that is later. */
export async function unprepareMonths(database: QueryExecutorProvider): Promise<void> {
  if (!(await isUndivided(database))) return;
  for (const table of Object.keys(monthTables)) {
    await patiently(
      database,
      `begin;
      alter table ${table} drop constraint if exists ${table}_is_past;
      create table if not exists ${table}_later (like ${table});
      insert into ${table} select * from ${table}_later;
      drop table ${table}_later;
      commit`,
    );
  }
}

/** Before which time all that is there was written; undefined when nobody has proved it. */
export async function pastBoundOf(database: QueryExecutorProvider): Promise<number | undefined> {
  const { rows } = await sql<{ made: string }>`select pg_get_constraintdef(oid) as made from pg_constraint
    where conname = any(${Object.keys(monthTables).map((table) => `${table}_is_past`)}::text[])
      and connamespace = current_schema()::regnamespace limit 1`.execute(database);
  const digits = /< '?(\d+)/.exec(rows[0]?.made ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

async function isUndivided(database: QueryExecutorProvider): Promise<boolean> {
  const { rows } = await sql`select from pg_class where oid = to_regclass('logs') and relkind = 'r'`.execute(database);
  return rows.length > 0;
}

async function sizeOf(database: QueryExecutorProvider): Promise<number> {
  const sizes = Object.keys(monthTables).map((table) => `pg_relation_size('${table}')`);
  const { rows } = await sql<{ size: number }>`select ${sql.raw(sizes.join(' + '))} as size`.execute(database);
  return Number(rows[0]?.size ?? 0);
}

function boundFrom(now: Date): number {
  const ahead = new Date(now.getTime() + fewestDaysAhead * 86_400_000);
  return Date.UTC(ahead.getUTCFullYear(), ahead.getUTCMonth() + 1) / 1000;
}

interface Preparation {
  readonly table: string;
  readonly time: string;
  readonly bound: number;
}

async function prepare(database: QueryExecutorProvider, { table, time, bound }: Preparation): Promise<void> {
  const later = `${table}_later`;
  const { rows } = await sql<{ is_valid: boolean }>`select convalidated as is_valid from pg_constraint
    where conname = ${`${table}_is_past`}`.execute(database);
  if (rows[0]?.is_valid) return;
  // Rows of a clock that was wrong. Who reads the table reads its heirs, so that nothing is ever missing.
  await patiently(
    database,
    `begin;
    create table if not exists ${later} (like ${table});
    do $$ begin
      if not exists (select from pg_inherits where inhrelid = '${later}'::regclass) then
        alter table ${later} inherit ${table};
      end if;
    end $$;
    commit`,
  );
  if (!rows[0]) {
    await patiently(
      database,
      `alter table ${table} add constraint ${table}_is_past check (${time} < ${bound}) no inherit not valid`,
    );
  }
  await sql
    .raw(`with moved as (delete from only ${table} where ${time} >= ${bound} returning *)
      insert into ${later} select * from moved`)
    .execute(database);
  // It reads the whole table and keeps nobody from reading and writing it.
  await sql.raw(`alter table ${table} validate constraint ${table}_is_past`).execute(database);
}

/** Who waits for such a lock keeps all others waiting: he gives up soon, and asks again. */
async function patiently(database: QueryExecutorProvider, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sql.raw(`set lock_timeout = ${lockPatienceMs}`).execute(database);
      await sql.raw(statement).execute(database);
      break;
    } catch (error) {
      await sql`rollback`.execute(database);
      const isHeld = (error as { code?: unknown }).code === '55P03';
      if (!isHeld || attempt === mostAttempts) throw error;
      await pause(lockPatienceMs);
    } finally {
      await sql`reset lock_timeout`.execute(database);
    }
  }
}
