import { type CreateTableBuilder, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { emptyText, isPostgres, notNull, withId, zero } from './columns.ts';

type Database = Parameters<Migration['up']>[0];

export const controlPlane: Migration = {
  async up(database) {
    if (isPostgres(database)) await createFoldCase(database);
    await extendUsers(database);
    await createTokens(database);
    await createRedemptions(database);
    await createChannels(database);
    await createLogs(database);
    await createCodes(database);
    await database.schema
      .createTable('meta')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('value', 'text', notNull)
      .execute();
  },
};

/**
 * Lower case in every script: PostgreSQL's own `lower` knows ASCII only where the database was made without a locale.
 * SQLite gets a function of this name from its driver.
 */
async function createFoldCase(database: Database): Promise<void> {
  const icu = await sql`select 1 from pg_collation where collname = 'und-x-icu'`.execute(database);
  const lower = icu.rows.length > 0 ? 'lower($1 collate "und-x-icu")' : 'lower($1)';
  await sql
    .raw(`create function fold_case(text) returns text language sql immutable strict parallel safe return ${lower}`)
    .execute(database);
}

async function extendUsers(database: Database): Promise<void> {
  await database.schema.alterTable('users').addColumn('access_token_hash', 'text').execute();
  await database.schema.alterTable('users').addColumn('credited', 'bigint', zero).execute();
  await sql`update users set credited = quota + used_quota`.execute(database);
  await database.schema.createIndex('users_access_token').on('users').column('access_token_hash').unique().execute();
}

async function createTokens(database: Database): Promise<void> {
  await withId(database, database.schema.createTable('tokens'))
    .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('key_hash', 'text', (column) => column.notNull().unique())
    .addColumn('key_sealed', 'text', notNull)
    .addColumn('status', 'integer', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('created_time', 'bigint', notNull)
    .addColumn('accessed_time', 'bigint', zero)
    .addColumn('expired_time', 'bigint', (column) => column.notNull().defaultTo(-1))
    .addColumn('remain_quota', 'bigint', zero)
    .addColumn('unlimited_quota', 'integer', zero)
    .addColumn('used_quota', 'bigint', zero)
    .addColumn('models', 'text', emptyText)
    .addColumn('subnet', 'text', emptyText)
    .execute();
  await database.schema.createIndex('tokens_user').on('tokens').columns(['user_id', 'id']).execute();
}

async function createRedemptions(database: Database): Promise<void> {
  await withId(database, database.schema.createTable('redemptions'))
    .addColumn('user_id', 'bigint', notNull)
    .addColumn('key_hash', 'text', (column) => column.notNull().unique())
    .addColumn('key_sealed', 'text', notNull)
    .addColumn('status', 'integer', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('quota', 'bigint', notNull)
    .addColumn('created_time', 'bigint', notNull)
    .addColumn('redeemed_time', 'bigint', zero)
    .addColumn('redeemed_user_id', 'bigint', zero)
    .execute();
}

async function createChannels(database: Database): Promise<void> {
  await withId(database, database.schema.createTable('channels'))
    .addColumn('type', 'integer', notNull)
    .addColumn('key_sealed', 'text', notNull)
    .addColumn('key_fingerprint', 'text', notNull)
    .addColumn('status', 'integer', notNull)
    .addColumn('status_reason', 'text', emptyText)
    .addColumn('name', 'text', notNull)
    .addColumn('weight', 'bigint', zero)
    .addColumn('priority', 'bigint', zero)
    .addColumn('created_time', 'bigint', notNull)
    .addColumn('test_time', 'bigint', zero)
    .addColumn('response_time', 'bigint', zero)
    .addColumn('base_url', 'text', emptyText)
    .addColumn('other', 'text', emptyText)
    .addColumn('balance', 'double precision', zero)
    .addColumn('balance_updated_time', 'bigint', zero)
    .addColumn('models', 'text', emptyText)
    .addColumn('group', 'text', (column) => column.notNull().defaultTo('default'))
    .addColumn('used_quota', 'bigint', zero)
    .addColumn('model_mapping', 'text', emptyText)
    .addColumn('config_sealed', 'text', emptyText)
    .addColumn('system_prompt', 'text', emptyText)
    .execute();
  await database.schema.createIndex('channels_key').on('channels').column('key_fingerprint').execute();
  await database.schema
    .createTable('abilities')
    .addColumn('group', 'text', notNull)
    .addColumn('model', 'text', notNull)
    .addColumn('channel_id', 'bigint', (column) => column.notNull().references('channels.id').onDelete('cascade'))
    .addColumn('enabled', 'integer', notNull)
    .addColumn('priority', 'bigint', notNull)
    .addColumn('weight', 'bigint', notNull)
    .addPrimaryKeyConstraint('abilities_key', ['group', 'model', 'channel_id'])
    .execute();
  await database.schema.createIndex('abilities_channel').on('abilities').column('channel_id').execute();
}

async function createLogs(database: Database): Promise<void> {
  await withId(database, database.schema.createTable('logs'))
    .addColumn('user_id', 'bigint', notNull)
    .addColumn('created_at', 'bigint', notNull)
    .addColumn('type', 'integer', notNull)
    .addColumn('content', 'text', emptyText)
    .addColumn('username', 'text', emptyText)
    .addColumn('token_name', 'text', emptyText)
    .addColumn('model_name', 'text', emptyText)
    .addColumn('quota', 'bigint', zero)
    .addColumn('prompt_tokens', 'bigint', zero)
    .addColumn('completion_tokens', 'bigint', zero)
    .addColumn('channel', 'bigint', zero)
    .addColumn('request_id', 'text', emptyText)
    .addColumn('elapsed_time', 'bigint', zero)
    .addColumn('is_stream', 'integer', zero)
    .addColumn('system_prompt_reset', 'integer', zero)
    .addColumn('detail', 'text', emptyText)
    .execute();
  await database.schema.createIndex('logs_time').on('logs').columns(['created_at', 'id', 'type']).execute();
  await database.schema.createIndex('logs_user').on('logs').columns(['user_id', 'created_at', 'id']).execute();
  await createRollUps(database);
}

async function createCodes(database: Database): Promise<void> {
  await database.schema
    .createTable('codes')
    .addColumn('purpose', 'text', notNull)
    .addColumn('address', 'text', notNull)
    .addColumn('code_hash', 'text', notNull)
    .addColumn('expires_time', 'bigint', notNull)
    .addColumn('attempts', 'integer', notNull)
    .addPrimaryKeyConstraint('codes_key', ['purpose', 'address'])
    .execute();
}

/** Every log is also added to these sums, so that no question over all logs has to read all logs. */
async function createRollUps(database: Database): Promise<void> {
  await createHours(database, 'log_hours', {}, ['hour', 'type']);
  await createHours(database, 'model_hours', { model_name: 'text' }, ['model_name', 'hour', 'type']);
  await createHours(database, 'channel_hours', { channel: 'bigint' }, ['channel', 'hour', 'type']);
  await createHours(
    database,
    'usage_hours',
    { user_id: 'bigint', username: 'text', token_name: 'text', model_name: 'text', channel: 'bigint' },
    ['hour', 'type', 'user_id', 'username', 'token_name', 'model_name', 'channel'],
  );
  for (const column of ['user_id', 'channel']) {
    await database.schema.createIndex(`usage_hours_${column}`).on('usage_hours').columns([column, 'hour']).execute();
  }
  await database.schema
    .createTable('log_owners')
    .addColumn('username', 'text', notNull)
    .addColumn('token_name', 'text', notNull)
    .addColumn('user_id', 'bigint', notNull)
    .addPrimaryKeyConstraint('log_owners_key', ['username', 'token_name', 'user_id'])
    .execute();
  await database.schema.createIndex('log_owners_token').on('log_owners').columns(['token_name', 'user_id']).execute();
}

async function createHours(
  database: Database,
  name: string,
  apart: Readonly<Record<string, 'text' | 'bigint'>>,
  key: readonly string[],
): Promise<void> {
  let table: CreateTableBuilder<string, string> = database.schema
    .createTable(name)
    .addColumn('hour', 'bigint', notNull)
    .addColumn('type', 'integer', notNull);
  for (const [column, type] of Object.entries(apart)) table = table.addColumn(column, type, notNull);
  for (const counter of ['rows', 'quota', 'prompt_tokens', 'completion_tokens']) {
    table = table.addColumn(counter, 'bigint', notNull);
  }
  await table.addPrimaryKeyConstraint(`${name}_key`, [...key]).execute();
}
