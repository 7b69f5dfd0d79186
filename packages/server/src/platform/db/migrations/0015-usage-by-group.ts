import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { emptyText, isPostgres, notNull, zero } from './columns.ts';

const formerCounters = ['rows', 'quota', 'prompt_tokens', 'completion_tokens'] as const;
const newCounters = ['cached_tokens', 'cache_write_tokens', 'cost'] as const;

/** The tables of sums whose key is another from here on. */
const keys = {
  usage_hours: ['hour', 'type', 'user_id', 'username', 'token_name', 'model_name', 'channel', 'group'],
  user_days: ['day', 'type', 'user_id'],
  model_hours: ['model_name', 'hour', 'type', 'group'],
  channel_hours: ['channel', 'hour', 'type', 'model_name'],
} as const;

const texts: ReadonlySet<string> = new Set(['username', 'token_name', 'model_name', 'group', 'reason']);

/** Logs say by which group, how fast, why and at what cost; sums tell groups, users, times and failures apart. */
export const usageByGroup: Migration = {
  async up(database) {
    await extendLogs(database);
    for (const counter of newCounters) {
      await database.schema.alterTable('log_hours').addColumn(counter, 'bigint', zero).execute();
    }
    await sql`alter table usage_hours rename to usage_hours_before`.execute(database);
    await createSums(database, 'usage_hours');
    await fill(database, 'usage_hours', sql`usage_hours_before`);
    await sql`drop table usage_hours_before`.execute(database);
    for (const column of ['user_id', 'channel']) {
      await database.schema.createIndex(`usage_hours_${column}`).on('usage_hours').columns([column, 'hour']).execute();
    }
    await createSums(database, 'user_days');
    await fill(database, 'user_days', sql`usage_hours`);
    await sql`drop table model_hours`.execute(database);
    await createSums(database, 'model_hours');
    await fill(database, 'model_hours', sql`usage_hours where model_name <> ''`);
    await sql`drop table channel_hours`.execute(database);
    await createSums(database, 'channel_hours');
    await fill(database, 'channel_hours', sql`usage_hours where channel <> 0`);
    await createRequestSums(database);
  },
};

async function extendLogs(database: Kysely<unknown>): Promise<void> {
  for (const column of ['group', 'reason']) {
    await database.schema.alterTable('logs').addColumn(column, 'text', emptyText).execute();
  }
  await database.schema.alterTable('logs').addColumn('status', 'integer', zero).execute();
  for (const column of ['first_byte_time', 'cached_tokens', 'cache_write_tokens', 'reasoning_tokens', 'cost']) {
    await database.schema.alterTable('logs').addColumn(column, 'bigint', zero).execute();
  }
}

const createSums = (database: Kysely<unknown>, name: keyof typeof keys): Promise<void> =>
  createTable(database, name, keys[name], [...formerCounters, ...newCounters]);

/** Times of earlier requests are not counted; their failures are, without a reason. */
async function createRequestSums(database: Kysely<unknown>): Promise<void> {
  await createTable(database, 'latency_hours', ['hour', 'bucket'], ['elapsed', 'first_byte']);
  await createTable(database, 'failure_hours', ['hour', 'channel', 'model_name', 'reason', 'status'], ['rows']);
  await sql`insert into failure_hours (hour, channel, model_name, reason, status, ${sql.ref('rows')})
    select hour, channel, model_name, '', 0, sum(${sql.ref('rows')}) from usage_hours where type = 5
    group by hour, channel, model_name`.execute(database);
}

/**
 * In SQLite the rows lie in the order of their key, so that one tree is written and read in place of two. Not those of
 * the widest table: its indexes would repeat its whole key.
 */
async function createTable(
  database: Kysely<unknown>,
  name: string,
  key: readonly string[],
  counters: readonly string[],
): Promise<void> {
  let table: CreateTableBuilder<string, string> = database.schema.createTable(name);
  for (const column of key) table = table.addColumn(column, texts.has(column) ? 'text' : 'bigint', notNull);
  for (const counter of counters) table = table.addColumn(counter, 'bigint', notNull);
  const withKey = table.addPrimaryKeyConstraint(`${name}_primary`, [...key]);
  const isOneTree = !isPostgres(database) && name !== 'usage_hours';
  await (isOneTree ? withKey.modifyEnd(sql`without rowid`) : withKey).execute();
}

async function fill(database: Kysely<unknown>, name: keyof typeof keys, from: ReturnType<typeof sql>): Promise<void> {
  const key: readonly string[] = keys[name];
  const formerly = (column: string) => {
    if (column === 'day') return sql`hour - hour % 86400`;
    return column === 'group' ? sql`''` : sql.ref(column);
  };
  const sums = formerCounters.map((counter) => sql`sum(${sql.ref(counter)})`);
  const columns = [...key, ...formerCounters, ...newCounters].map((column) => sql.ref(column));
  await sql`insert into ${sql.table(name)} (${sql.join(columns)})
    select ${sql.join([...key.map(formerly), ...sums, ...newCounters.map(() => sql`0`)])} from ${from}
    group by ${sql.join(key.filter((column) => column !== 'group').map(formerly))}`.execute(database);
}
