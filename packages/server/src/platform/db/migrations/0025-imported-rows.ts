import type { Migration } from 'kysely/migration';
import { notNull } from './columns.ts';

/** What came from another gateway, so that it does not come twice. */
export const importedRows: Migration = {
  async up(database) {
    await database.schema
      .createTable('imported_rows')
      .addColumn('source', 'text', notNull)
      .addColumn('kind', 'text', notNull)
      .addColumn('source_id', 'text', notNull)
      .addColumn('id', 'bigint', notNull)
      .addPrimaryKeyConstraint('imported_rows_key', ['source', 'kind', 'source_id'])
      .execute();
  },
};
