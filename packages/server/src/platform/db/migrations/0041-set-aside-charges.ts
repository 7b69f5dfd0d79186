import type { Migration } from 'kysely/migration';
import { isPostgres, notNull, withId } from './columns.ts';

/** What a journal of SQLite held and nobody could read goes along when its data are restored into PostgreSQL. */
export const setAsideCharges: Migration = {
  async up(database) {
    if (!isPostgres(database)) return;
    await withId(database, database.schema.createTable('set_aside_charges'))
      .addColumn('entry', 'bigint', notNull)
      .addColumn('version', 'integer', notNull)
      .addColumn('charges', 'text', notNull)
      .addColumn('reason', 'text', notNull)
      .addColumn('created_time', 'bigint', notNull)
      .execute();
  },
};
