import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres, notNull, zero } from './columns.ts';

/** Groups of charges say of themselves that they are stored; users say what of their consumption no log tells any more. */
export const chargeGroups: Migration = {
  async up(database) {
    await database.schema.alterTable('users').addColumn('unlogged_quota', 'bigint', zero).execute();
    // What is missing today was cleaned before anybody wrote down how much that was.
    await sql`update users set unlogged_quota = used_quota`.execute(database);
    await sql`update users set unlogged_quota = unlogged_quota - logged.quota from
      (select user_id, sum(quota) as quota from user_days where type = 2 group by user_id) as logged
      where logged.user_id = users.id`.execute(database);
    // SQLite never leaves a commit in doubt.
    if (!isPostgres(database)) return;
    await database.schema
      .createTable('charge_groups')
      .addColumn('writer', 'bigint', notNull)
      .addColumn('number', 'bigint', notNull)
      .addColumn('stored_time', 'bigint', (column) =>
        column.notNull().defaultTo(sql`extract(epoch from now())::bigint`),
      )
      .addPrimaryKeyConstraint('charge_groups_primary', ['writer', 'number'])
      .execute();
  },
};
