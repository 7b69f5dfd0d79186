import type { Migration } from 'kysely/migration';
import { notNull, zero } from './columns.ts';

/** How long requests of a model took, for the status page. */
export const modelLatencies: Migration = {
  async up(database) {
    await database.schema
      .createTable('model_latencies')
      .addColumn('kind', 'text', notNull)
      .addColumn('start', 'bigint', notNull)
      .addColumn('model_name', 'text', notNull)
      .addColumn('bucket', 'bigint', notNull)
      .addColumn('elapsed', 'bigint', zero)
      .addColumn('first_byte', 'bigint', zero)
      .addPrimaryKeyConstraint('model_latencies_once', ['kind', 'start', 'model_name', 'bucket'])
      .execute();
  },
};
