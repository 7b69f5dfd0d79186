import type { Migration } from 'kysely/migration';
import { emptyText } from './columns.ts';

/** Logs say which node served a request. A column with a constant default: nothing is written again, and no lock is kept. */
export const logNodes: Migration = {
  async up(database) {
    await database.schema.alterTable('logs').addColumn('node', 'text', emptyText).execute();
  },
};
