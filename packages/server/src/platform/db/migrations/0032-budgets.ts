import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createOwnerView } from './0027-unfolded-totals.ts';
import { emptyText, isPostgres, notNull, withId, zero } from './columns.ts';

/** Budgets, a row for each of their periods, and the total of what was charged to them, by which the ledger checks both. */
export const budgets: Migration = {
  async up(database) {
    await withId(database, database.schema.createTable('budgets'))
      .addColumn('owner_kind', 'text', notNull)
      .addColumn('owner_id', 'bigint', zero)
      .addColumn('owner_group', 'text', emptyText)
      .addColumn('amount', 'bigint', notNull)
      .addColumn('period', 'text', notNull)
      .addColumn('time_zone', 'text', notNull)
      .addColumn('enabled', 'bigint', notNull)
      .addColumn('note', 'text', emptyText)
      .addColumn('created_time', 'bigint', notNull)
      .addUniqueConstraint('budgets_once', ['owner_kind', 'owner_id', 'owner_group', 'period'])
      .execute();
    await withId(database, database.schema.createTable('budget_periods'))
      .addColumn('budget_id', 'bigint', notNull)
      .addColumn('start_time', 'bigint', notNull)
      .addColumn('used', 'bigint', zero)
      .addColumn('noticed', 'bigint', zero)
      .addUniqueConstraint('budget_periods_once', ['budget_id', 'start_time'])
      .execute();
    await database.schema.alterTable('users').addColumn('budgeted_quota', 'bigint', zero).execute();
    if (!isPostgres(database)) return;
    await sql`create table budget_changes (period_id bigint not null, quota bigint not null)
      with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
        autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000)`.execute(database);
    await sql`create index budget_changes_period on budget_changes (period_id)`.execute(database);
    await sql`create view budget_periods_now as
      select stored.id, stored.budget_id, stored.start_time, stored.used + coalesce(changes.quota, 0) as used, stored.noticed
      from budget_periods as stored left join (
        select period_id, sum(quota)::bigint as quota from budget_changes group by period_id) as changes
      on changes.period_id = stored.id`.execute(database);
    // Old nodes beside new ones append without it.
    await sql`alter table balance_changes add column budgeted bigint not null default 0`.execute(database);
    await sql`drop view users_now`.execute(database);
    await createOwnerView(database, 'users');
  },
};
