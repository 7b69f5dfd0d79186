import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres, notNull } from './columns.ts';

const counters = ['rows', 'quota', 'prompt_tokens', 'completion_tokens', 'cached_tokens', 'cache_write_tokens', 'cost'];

/** Sums of closed hours for token names that many users have; filled afterwards, hour by hour. */
export const tokenHours: Migration = {
  async up(database) {
    await database.schema
      .createTable('shared_token_names')
      .addColumn('id', 'bigint', (column) => column.primaryKey().notNull())
      .addColumn('name', 'text', (column) => column.notNull().unique())
      .execute();
    await database.schema
      .createTable('token_packs')
      .addColumn('hour', 'bigint', (column) => column.primaryKey().notNull())
      .addColumn('rows', 'bigint', notNull)
      .addColumn('version', 'bigint', notNull)
      .addColumn('names', 'bigint', notNull)
      .addColumn('made', 'bigint', notNull)
      .execute();
    await addPackedNames(database);
    await createTokenHours(database);
  },
};

async function createTokenHours(database: Kysely<unknown>): Promise<void> {
  let table: CreateTableBuilder<string, string> = database.schema
    .createTable('token_hours')
    .addColumn('token_name', 'text', notNull);
  for (const column of ['hour', 'type', ...counters]) table = table.addColumn(column, 'bigint', notNull);
  const withKey = table.addPrimaryKeyConstraint('token_hours_primary', ['token_name', 'hour', 'type']);
  // In SQLite the rows lie in the order of their key, so that one tree is written and read in place of two.
  await (isPostgres(database) ? withKey : withKey.modifyEnd(sql`without rowid`)).execute();
}

/** Packs may tell token names apart. Nothing is rewritten for a column that is empty. */
async function addPackedNames(database: Kysely<unknown>): Promise<void> {
  const type = isPostgres(database) ? 'bytea' : 'blob';
  await database.schema.alterTable('usage_packs').addColumn('token_name', type).execute();
  // To unpack what PostgreSQL has compressed takes longer than to read it.
  if (isPostgres(database))
    await sql`alter table usage_packs alter column token_name set storage external`.execute(database);
}
