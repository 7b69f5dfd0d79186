import type { Migration } from 'kysely/migration';
import { notNull } from './columns.ts';

export const userViews: Migration = {
  async up(database) {
    await database.schema
      .createTable('user_views')
      .addColumn('user_id', 'bigint', notNull)
      .addColumn('list', 'text', notNull)
      .addColumn('name', 'text', notNull)
      .addColumn('query', 'text', notNull)
      .addColumn('created_time', 'bigint', notNull)
      .addPrimaryKeyConstraint('user_views_key', ['user_id', 'list', 'name'])
      .execute();
  },
};
