import type { Migration } from 'kysely/migration';
import { emptyText, notNull, withId, zero } from './columns.ts';

export const limitRules: Migration = {
  async up(database) {
    await withId(database, database.schema.createTable('limit_rules'))
      .addColumn('token_id', 'bigint', zero)
      .addColumn('user_id', 'bigint', zero)
      .addColumn('group', 'text', emptyText)
      .addColumn('model', 'text', emptyText)
      .addColumn('channel_id', 'bigint', zero)
      .addColumn('measure', 'text', notNull)
      .addColumn('amount', 'bigint', notNull)
      .addColumn('counts_per', 'text', notNull)
      .addColumn('note', 'text', emptyText)
      .addColumn('enabled', 'integer', notNull)
      .addColumn('created_time', 'bigint', notNull)
      .execute();
    await database.schema
      .createTable('limit_uses')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('told', 'text', notNull)
      .addColumn('saved_time', 'bigint', notNull)
      .execute();
  },
};
