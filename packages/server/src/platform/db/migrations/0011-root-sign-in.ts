import type { Migration } from 'kysely/migration';
import { zero } from './columns.ts';

/** Off for everybody: a super admin who signs in elsewhere, or by mail, has to allow it once. */
export const rootSignIn: Migration = {
  async up(database) {
    await database.schema.alterTable('users').addColumn('sign_in_elsewhere', 'integer', zero).execute();
  },
};
