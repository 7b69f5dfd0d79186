import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Gives each account a key of its name without its case. Where names already differ only in case the oldest gets it;
 * the others have none.
 */
export const nameKeys: Migration = {
  async up(database) {
    await database.schema.alterTable('users').addColumn('name_key', 'text').execute();
    await sql`update users set name_key = fold_case(username)
      where id in (select min(id) from users group by fold_case(username))`.execute(database);
    await database.schema.createIndex('users_name_key').on('users').column('name_key').unique().execute();
  },
};
