import type { Migration } from 'kysely/migration';
import { emptyText, notNull } from './columns.ts';

export const manyAtOnce: Migration = {
  async up(database) {
    await database.schema.alterTable('channels').addColumn('tag', 'text', emptyText).execute();
    await database.schema
      .createTable('bulk_runs')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('subject', 'text', notNull)
      .addColumn('created_time', 'bigint', notNull)
      .addColumn('rows', 'text', notNull)
      .execute();
  },
};
