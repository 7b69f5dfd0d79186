import type { Migration } from 'kysely/migration';
import { notNull } from './columns.ts';

export const keptItems: Migration = {
  async up(database) {
    await database.schema
      .alterTable('kept_responses')
      .addColumn('item_tokens', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    await database.schema
      .createTable('kept_items')
      .addColumn('user_id', 'bigint', notNull)
      .addColumn('item_id', 'text', notNull)
      .addColumn('response_id', 'text', notNull)
      .addColumn('expires_time', 'bigint', notNull)
      .addPrimaryKeyConstraint('kept_items_key', ['user_id', 'item_id'])
      .execute();
    await database.schema.createIndex('kept_items_expires_time').on('kept_items').column('expires_time').execute();
  },
};
