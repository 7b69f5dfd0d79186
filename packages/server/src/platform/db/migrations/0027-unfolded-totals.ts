import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres, notNull } from './columns.ts';

const counters = ['rows', 'quota', 'prompt_tokens', 'completion_tokens', 'cached_tokens', 'cache_write_tokens', 'cost'];

/** Columns of numbers first, then those of text. */
const changes: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
  balance_changes: [['owner_id', 'quota', 'limited', 'unlogged', 'requests', 'used_time'], ['kind']],
  usage_changes: [
    ['hour', 'type', 'user_id', 'channel', ...counters],
    ['username', 'token_name', 'model_name', 'group'],
  ],
  latency_changes: [['hour', 'bucket', 'elapsed', 'first_byte'], []],
  failure_changes: [
    ['hour', 'channel', 'status', 'rows'],
    ['model_name', 'reason'],
  ],
};

/** Columns of a row that are the stored value and what its changes add to it or take off it. */
const moved: Readonly<Record<string, readonly [kind: string, columns: Readonly<Record<string, string>>]>> = {
  users: [
    'user',
    {
      quota: '- quota',
      used_quota: '+ quota',
      unlogged_quota: '+ unlogged',
      budgeted_quota: '+ budgeted',
      request_count: '+ requests',
    },
  ],
  tokens: ['token', { remain_quota: '- limited', used_quota: '+ quota' }],
  channels: ['channel', { used_quota: '+ quota' }],
};

/** Where the sums of a table come from while they are not folded yet. */
const summed: Readonly<Record<string, string>> = {
  log_hours: 'usage_changes',
  model_hours: `usage_changes where model_name <> '' or "group" <> ''`,
  channel_hours: 'usage_changes where channel <> 0',
  user_days: '(select *, hour - hour % 86400 as day from usage_changes) as days',
  usage_hours: 'usage_changes',
  latency_hours: 'latency_changes',
  failure_hours: 'failure_changes',
  log_owners: 'usage_changes',
};

/**
 * On PostgreSQL what requests add to totals waits in tables of its own, which only grow and are emptied again; views
 * say what the totals are.
 */
export const unfoldedTotals: Migration = {
  async up(database) {
    if (!isPostgres(database)) return;
    for (const [name, [numbers, texts]] of Object.entries(changes)) {
      let table: CreateTableBuilder<string, string> = database.schema.createTable(name);
      for (const column of numbers) table = table.addColumn(column, 'bigint', notNull);
      for (const column of texts) table = table.addColumn(column, 'text', notNull);
      // Written and emptied all the time: a share of the rows says nothing about when it is worth cleaning up.
      await table
        .modifyEnd(sql`with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
          autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000)`)
        .execute();
    }
    await sql`create index balance_changes_owner on balance_changes (kind, owner_id)`.execute(database);
    for (const name of Object.keys(moved)) await createOwnerView(database, name);
    for (const name of Object.keys(summed)) await createSumView(database, name);
  },
};

/** Columns of a change that say whose and when, and are not added up. */
const described: ReadonlySet<string> = new Set(['kind', 'owner_id', 'used_time']);

async function columnsOf(database: Kysely<unknown>, table: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} order by ordinal_position`.execute(database);
  return rows.map(({ name }) => name);
}

/** Of each row that is read the changes are looked up by the index, however the row was found and however many wait. */
export async function createOwnerView(database: Kysely<unknown>, table: string): Promise<void> {
  const [kind, columns] = moved[table] ?? ['', {}];
  const selected = (await columnsOf(database, table)).map((column) => {
    const [sign, counter = ''] = columns[column]?.split(' ') ?? [];
    if (sign === undefined && !(table === 'tokens' && column === 'accessed_time'))
      return sql`stored.${sql.ref(column)}`;
    if (sign === undefined) return sql`greatest(stored.accessed_time, changes.used_time) as accessed_time`;
    return sql`stored.${sql.ref(column)} ${sql.raw(sign)} coalesce(changes.${sql.ref(counter)}, 0) as ${sql.ref(column)}`;
  });
  // Later migrations add counters, and make the views anew.
  const counted = (await columnsOf(database, 'balance_changes')).filter((column) => !described.has(column));
  const sums = sql.join(counted.map((column) => sql`sum(${sql.ref(column)})::bigint as ${sql.ref(column)}`));
  await sql`create view ${sql.table(`${table}_now`)} as select ${sql.join(selected)} from ${sql.table(table)} as stored
    cross join lateral (select ${sums}, max(used_time) as used_time
      from balance_changes where kind = ${sql.lit(kind)} and owner_id = stored.id) as changes`.execute(database);
}

/** The same key may be there more than once: whoever reads sums adds them up. */
async function createSumView(database: Kysely<unknown>, table: string): Promise<void> {
  const columns = sql.join((await columnsOf(database, table)).map((column) => sql.ref(column)));
  await sql`create view ${sql.table(`${table}_now`)} as select ${columns} from ${sql.table(table)}
    union all select ${columns} from ${sql.raw(summed[table] ?? '')}`.execute(database);
}
