import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres, notNull } from './columns.ts';

const counters = [
  ...(['rows', 'quota', 'prompt_tokens', 'completion_tokens', 'cached_tokens', 'cache_write_tokens', 'cost'] as const),
];

const packed = [
  ...(['user_id', 'channel', 'model_name', 'group'] as const),
  ...(['requests', 'failures', 'quota', 'prompt_tokens', 'completion_tokens', 'cached_tokens', 'cost'] as const),
];

/** Sums of closed hours that are made from the hourly ones afterwards. */
export const usagePacks: Migration = {
  async up(database) {
    await createUserHours(database);
    await createPacks(database);
  },
};

async function createUserHours(database: Kysely<unknown>): Promise<void> {
  let table: CreateTableBuilder<string, string> = database.schema.createTable('user_hours');
  for (const column of ['user_id', 'hour', 'type']) table = table.addColumn(column, 'bigint', notNull);
  for (const column of ['username', 'model_name', 'group']) table = table.addColumn(column, 'text', notNull);
  for (const counter of counters) table = table.addColumn(counter, 'bigint', notNull);
  const key = ['user_id', 'hour', 'type', 'username', 'model_name', 'group'];
  if (!isPostgres(database)) {
    // The rows lie in the order of their key, so that one tree is written and read in place of two.
    const withKey = table.addPrimaryKeyConstraint('user_hours_primary', key);
    await withKey.modifyEnd(sql`without rowid`).execute();
    return;
  }
  await table.execute();
  // The rows of a user lie far apart, one hour after another; with the sums in it, the index is all that is read.
  const [columns, included] = [key, counters].map((names) => sql.join(names.map((name) => sql.ref(name))));
  await sql`create unique index user_hours_primary on user_hours (${columns}) include (${included})`.execute(database);
}

async function createPacks(database: Kysely<unknown>): Promise<void> {
  let table: CreateTableBuilder<string, string> = database.schema
    .createTable('usage_packs')
    .addColumn('kind', 'text', notNull)
    .addColumn('start', 'bigint', notNull)
    .addColumn('rows', 'bigint', notNull)
    .addColumn('names', 'text', notNull);
  for (const column of packed) table = table.addColumn(column, isPostgres(database) ? 'bytea' : 'blob');
  await table.addPrimaryKeyConstraint('usage_packs_primary', ['kind', 'start']).execute();
  if (!isPostgres(database)) return;
  // To unpack what PostgreSQL has compressed takes longer than to read it.
  const kept = packed.map((column) => sql`alter column ${sql.ref(column)} set storage external`);
  await sql`alter table usage_packs ${sql.join(kept)}`.execute(database);
}
