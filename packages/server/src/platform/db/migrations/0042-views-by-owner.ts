import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createOwnerView } from './0027-unfolded-totals.ts';
import { isPostgres } from './columns.ts';

/**
 * Views of totals that look up the changes of each row by itself. Grouped, all that waited were added up for a row that was
 * found otherwise than by its id: each call of the console did so for its session.
 */
export const viewsByOwner: Migration = {
  async up(database) {
    if (!isPostgres(database)) return;
    for (const table of ['users', 'tokens', 'channels']) {
      await sql`drop view ${sql.table(`${table}_now`)}`.execute(database);
      await createOwnerView(database, table);
    }
    await sql`create or replace view budget_periods_now as
      select stored.id, stored.budget_id, stored.start_time, stored.used + coalesce(changes.quota, 0) as used, stored.noticed
      from budget_periods as stored cross join lateral (
        select sum(quota)::bigint as quota from budget_changes where period_id = stored.id) as changes`.execute(
      database,
    );
  },
};
