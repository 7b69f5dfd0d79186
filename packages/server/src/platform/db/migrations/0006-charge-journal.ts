import type { Migration } from 'kysely/migration';
import { isPostgres, notNull } from './columns.ts';

export const chargeJournal: Migration = {
  async up(database) {
    // Only the process that has the file to itself keeps a journal.
    if (isPostgres(database)) return;
    await database.schema
      .createTable('charge_journal')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('charges', 'text', notNull)
      .execute();
  },
};
