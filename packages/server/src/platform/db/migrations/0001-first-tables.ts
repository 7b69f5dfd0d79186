import type { Migration } from 'kysely/migration';
import { emptyText, withId, zero } from './columns.ts';

const identities = ['email', 'github_id', 'wechat_id', 'lark_id', 'oidc_id', 'aff_code'] as const;

export const firstTables: Migration = {
  async up(database) {
    await withId(database, database.schema.createTable('users'))
      .addColumn('username', 'text', (column) => column.notNull().unique())
      .addColumn('display_name', 'text', emptyText)
      .addColumn('password_hash', 'text')
      .addColumn('role', 'integer', (column) => column.notNull())
      .addColumn('status', 'integer', (column) => column.notNull())
      .addColumn('email', 'text')
      .addColumn('github_id', 'text')
      .addColumn('wechat_id', 'text')
      .addColumn('lark_id', 'text')
      .addColumn('oidc_id', 'text')
      .addColumn('quota', 'bigint', zero)
      .addColumn('used_quota', 'bigint', zero)
      .addColumn('request_count', 'bigint', zero)
      .addColumn('group', 'text', (column) => column.notNull().defaultTo('default'))
      .addColumn('aff_code', 'text')
      .addColumn('inviter_id', 'bigint', zero)
      .addColumn('created_time', 'bigint', (column) => column.notNull())
      .execute();
    for (const column of identities) {
      await database.schema.createIndex(`users_${column}`).on('users').column(column).unique().execute();
    }

    await database.schema
      .createTable('sessions')
      .addColumn('id_hash', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('created_time', 'bigint', (column) => column.notNull())
      .addColumn('seen_time', 'bigint', (column) => column.notNull())
      .addColumn('address', 'text', emptyText)
      .addColumn('user_agent', 'text', emptyText)
      .execute();
    await database.schema.createIndex('sessions_user').on('sessions').column('user_id').execute();
    await database.schema.createIndex('sessions_seen').on('sessions').column('seen_time').execute();

    await database.schema
      .createTable('options')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('value', 'text', (column) => column.notNull())
      .execute();
  },
};
