import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { monthTables, pastBoundOf } from './0030-month-preparation.ts';
import { isPostgres } from './columns.ts';

/** Made ahead here, so that nodes of the version before, which make none, find them too. */
const monthsAhead = 2;

/**
 * Logs and the sums that are nearly as many lie in a table for each month. What was there becomes the first part, as it is.
 * Under the lock nothing is read or written but the catalogue, where `prepareMonths` has been.
 */
export const monthPartitions: Migration = {
  async up(database) {
    if (!isPostgres(database)) return;
    await lockPatiently(database);
    const now = new Date();
    const proved = await pastBoundOf(database);
    const bound = proved ?? monthFrom(now, 0);
    const isPrepared = proved !== undefined;
    for (const [table, time] of Object.entries(monthTables)) await divide(database, { table, time, bound, isPrepared });
    for (let ahead = 0; ; ahead += 1) {
      const start = monthFrom(new Date(bound * 1000), ahead);
      if (start > monthFrom(now, monthsAhead)) break;
      const end = monthFrom(new Date(bound * 1000), ahead + 1);
      for (const [table, time] of Object.entries(monthTables)) await addMonth(database, { table, time, start, end });
    }
    await sql`create or replace view usage_hours_now as ${sumView('usage_hours', 'usage_changes')}`.execute(database);
    const days = '(select *, hour - hour % 86400 as day from usage_changes) as days';
    await sql`create or replace view user_days_now as ${sumView('user_days', days)}`.execute(database);
  },
};

/** Seconds since 1970 at which a month of UTC begins, some months after that of a time. */
const monthFrom = (time: Date, months: number) => Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months) / 1000;

const counters = ['rows', 'quota', 'prompt_tokens', 'completion_tokens', 'cached_tokens', 'cache_write_tokens', 'cost'];

const keys: Readonly<Record<string, readonly string[]>> = {
  usage_hours: ['hour', 'type', 'user_id', 'username', 'token_name', 'model_name', 'channel', 'group'],
  user_days: ['day', 'type', 'user_id'],
};

/** The views of 0027 go on reading the tables that they were made for: those of the past. */
function sumView(table: string, changes: string) {
  const columns = sql.join([...(keys[table] ?? []), ...counters].map((column) => sql.ref(column)));
  return sql`select ${columns} from ${sql.table(table)} union all select ${columns} from ${sql.raw(changes)}`;
}

/** Whoever waits for this lock keeps all others waiting: it is asked for briefly and often, and between no lock is held. */
async function lockPatiently(database: Kysely<unknown>): Promise<void> {
  const tables = Object.keys(monthTables).join(', ');
  await sql
    .raw(`do $$ begin
      for attempt in 1..300 loop
        begin
          set local lock_timeout = '500ms';
          lock table ${tables} in access exclusive mode;
          set local lock_timeout = 0;
          return;
        exception when lock_not_available then
          perform pg_sleep(1);
        end;
      end loop;
      raise exception 'somebody has been reading the logs for ten minutes';
    end $$`)
    .execute(database);
}

interface OldIndex {
  readonly name: string;
  readonly made: string;
  readonly constraint_made: string | null;
  /** A unique index over all parts must know the time. */
  readonly is_possible: boolean;
}

async function indexesOf(database: Kysely<unknown>, table: string, time: string): Promise<readonly OldIndex[]> {
  const { rows } = await sql<OldIndex>`select indexes.relname as name, pg_get_indexdef(pg_index.indexrelid) as made,
      pg_get_constraintdef(pg_constraint.oid) as constraint_made,
      not indisunique or (select attnum from pg_attribute where attrelid = indrelid and attname = ${time})
        = any(indkey::int2[]) as is_possible
    from pg_index join pg_class as indexes on indexes.oid = indexrelid
    left join pg_constraint on conindid = indexrelid and contype in ('p', 'u')
    where indrelid = ${table}::regclass order by indexes.relname`.execute(database);
  return rows;
}

interface Division {
  readonly table: string;
  readonly time: string;
  readonly bound: number;
  readonly isPrepared: boolean;
}

/** The table becomes the part of what is past, under a parent of its former name. */
async function divide(database: Kysely<unknown>, { table, time, bound, isPrepared }: Division): Promise<void> {
  const [past, later] = [`${table}_past`, `${table}_later`];
  const indexes = await indexesOf(database, table, time);
  const isNumbered = table === 'logs';
  const lastId = isNumbered ? await lastIdOf(database) : 0;
  const statements = [
    ...(isPrepared
      ? [`alter table ${later} no inherit ${table}`]
      : [
          `create table ${later} (like ${table})`,
          `with moved as (delete from ${table} where ${time} >= ${bound} returning *)
            insert into ${later} select * from moved`,
        ]),
    ...indexes.map(({ name }) => `alter index "${name}" rename to "${name}_past"`),
    `alter table ${table} rename to ${past}`,
    // The sequence goes with the column it was made for; its successor is the parent's.
    ...(isNumbered ? [`alter table ${past} alter id drop identity`, `create sequence logs_id_seq`] : []),
    `create table ${table} (like ${past} including defaults) partition by range (${time})`,
    ...(isNumbered
      ? [
          `select setval('logs_id_seq', ${lastId + 1}, false)`,
          `alter sequence logs_id_seq owned by logs.id`,
          `alter table logs alter id set default nextval('logs_id_seq')`,
          `alter table ${later} add primary key (id)`,
        ]
      : []),
    `alter table ${table} attach partition ${past} for values from (minvalue) to (${bound})`,
    ...(isPrepared ? [`alter table ${past} drop constraint ${table}_is_past`] : []),
    `alter table ${table} attach partition ${later} default`,
    // The index of the past is found to be the same and becomes a part; nothing is built but on empty tables.
    ...indexes
      .filter(({ is_possible }) => is_possible)
      .map(({ name, made, constraint_made }) =>
        constraint_made === null ? made : `alter table ${table} add constraint "${name}" ${constraint_made}`,
      ),
  ];
  await sql.raw(statements.join(';\n')).execute(database);
}

async function lastIdOf(database: Kysely<unknown>): Promise<number> {
  const { rows } = await sql<{ last: number }>`select case when is_called then last_value else 0 end as last
    from logs_id_seq`.execute(database);
  return Number(rows[0]?.last ?? 0);
}

interface Month {
  readonly table: string;
  readonly time: string;
  readonly start: number;
  readonly end: number;
}

/** What has a time in it lies in the last part until now. */
async function addMonth(database: Kysely<unknown>, { table, time, start, end }: Month): Promise<void> {
  const [year, month] = new Date(start * 1000).toISOString().split('-');
  const name = `${table}_y${year}m${month}`;
  const statements = [
    `create table ${name} (like ${table} including defaults)`,
    ...(table === 'logs'
      ? [`alter table ${name} add primary key (id)`]
      : [`alter table ${name} set (fillfactor = 90)`]),
    `with moved as (delete from ${table}_later where ${time} >= ${start} and ${time} < ${end} returning *)
      insert into ${name} select * from moved`,
    `alter table ${table} attach partition ${name} for values from (${start}) to (${end})`,
  ];
  await sql.raw(statements.join(';\n')).execute(database);
}
