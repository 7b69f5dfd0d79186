import type { Migration } from 'kysely/migration';
import { notNull } from './columns.ts';

export const leases: Migration = {
  async up(database) {
    await database.schema
      .createTable('leases')
      .addColumn('kind', 'text', notNull)
      .addColumn('owner_id', 'bigint', notNull)
      .addColumn('node', 'bigint', notNull)
      .addColumn('points', 'bigint', notNull)
      .addPrimaryKeyConstraint('leases_primary', ['kind', 'owner_id', 'node'])
      .execute();
  },
};
