import type { Migration } from 'kysely/migration';
import { isPostgres, notNull, withId } from './columns.ts';

export const journalVersions: Migration = {
  async up(database) {
    // Only the process that has the file to itself keeps a journal.
    if (isPostgres(database)) return;
    // What stands in it was written in the first format, which did not say so.
    await database.schema
      .alterTable('charge_journal')
      .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
      .execute();
    await withId(database, database.schema.createTable('set_aside_charges'))
      .addColumn('entry', 'integer', notNull)
      .addColumn('version', 'integer', notNull)
      .addColumn('charges', 'text', notNull)
      .addColumn('reason', 'text', notNull)
      .addColumn('created_time', 'bigint', notNull)
      .execute();
  },
};
