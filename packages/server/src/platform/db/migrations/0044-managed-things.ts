import type { Migration } from 'kysely/migration';
import { notNull, zero } from './columns.ts';

/** What a configuration file manages: it is changed there alone, and only this is ever pruned. */
export const managedThings: Migration = {
  async up(database) {
    await database.schema
      .createTable('managed_things')
      .addColumn('kind', 'text', notNull)
      .addColumn('name', 'text', notNull)
      .addColumn('row_id', 'bigint', zero)
      .addColumn('in_file', 'integer', notNull)
      .addPrimaryKeyConstraint('managed_things_key', ['kind', 'name'])
      .execute();
  },
};
