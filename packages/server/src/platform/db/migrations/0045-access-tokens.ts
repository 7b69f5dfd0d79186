import type { Migration } from 'kysely/migration';
import { notNull, withId, zero } from './columns.ts';

/** Access tokens with a name, a scope and a time to end, beside the one that each user may have. */
export const accessTokens: Migration = {
  async up(database) {
    await withId(database, database.schema.createTable('access_tokens'))
      .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('name', 'text', notNull)
      .addColumn('scope', 'text', notNull)
      .addColumn('key_hash', 'text', (column) => column.notNull().unique())
      .addColumn('created_time', 'bigint', notNull)
      .addColumn('expired_time', 'bigint', notNull)
      .addColumn('used_time', 'bigint', zero)
      .execute();
    await database.schema.createIndex('access_tokens_user').on('access_tokens').column('user_id').execute();
  },
};
