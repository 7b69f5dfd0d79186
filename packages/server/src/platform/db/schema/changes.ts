import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../backend.ts';

/**
 * PostgreSQL only: changes that charges make to totals. Charges append to `*_changes` and never wait for each other's
 * rows; a background job adds them to the totals shortly after. Until then, the views `*_now` contain the current
 * totals.
 */

/** Tables that are constantly filled and emptied, so vacuuming starts at a fixed number of rows instead of a share. */
const vacuumed = `with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 100000)`;

export const changeTables = `
create table balance_changes (
  owner_id bigint not null,
  quota bigint not null,
  limited bigint not null,
  unlogged bigint not null,
  requests bigint not null,
  used_time bigint not null,
  budgeted bigint not null default 0,
  kind text not null
) ${vacuumed};
create index balance_changes_owner on balance_changes (kind, owner_id);

create table budget_changes (
  period_id bigint not null,
  quota bigint not null
) ${vacuumed};
create index budget_changes_period on budget_changes (period_id);

create view budget_periods_now as
  select stored.id, stored.budget_id, stored.start_time, stored.used + coalesce(changes.quota, 0) as used, stored.noticed
  from budget_periods as stored
  cross join lateral (select sum(quota)::bigint as quota from budget_changes where period_id = stored.id) as changes;
`;

/**
 * Totals of users, tokens and channels, and the column of `balance_changes` that is added to or subtracted from each.
 */
const totals: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  user: {
    quota: 'stored.quota - coalesce(changes.quota, 0)',
    used_quota: 'stored.used_quota + coalesce(changes.quota, 0)',
    unlogged_quota: 'stored.unlogged_quota + coalesce(changes.unlogged, 0)',
    budgeted_quota: 'stored.budgeted_quota + coalesce(changes.budgeted, 0)',
    request_count: 'stored.request_count + coalesce(changes.requests, 0)',
  },
  token: {
    remain_quota: 'stored.remain_quota - coalesce(changes.limited, 0)',
    used_quota: 'stored.used_quota + coalesce(changes.quota, 0)',
    accessed_time: 'greatest(stored.accessed_time, changes.used_time)',
  },
  channel: {
    used_quota: 'stored.used_quota + coalesce(changes.quota, 0)',
  },
};

/** Replaces `totals` of users once the column `plan_quota` exists. */
const plannedTotals: Readonly<Record<string, string>> = {
  quota: 'stored.quota - coalesce(changes.quota - changes.planned, 0)',
  plan_quota: 'stored.plan_quota + coalesce(changes.planned, 0)',
};

/** Kinds of owners in `balance_changes`; each has a table `<kind>s` and a view `<kind>s_now`. */
export const ownerKinds = Object.keys(totals);

/**
 * View of an owner table. `columns` are those of the table: a migration that adds a column drops and recreates the
 * view. Changes are looked up by index for each row, so the view is cheap for any query.
 */
export function ownerView(kind: string, columns: readonly string[]): string {
  const hasPlans = columns.includes('plan_quota');
  const selected = columns.map((column) => {
    const total = (hasPlans ? plannedTotals[column] : undefined) ?? totals[kind]?.[column];
    return total === undefined ? `stored."${column}"` : `${total} as ${column}`;
  });
  return `create view ${kind}s_now as select ${selected.join(', ')} from ${kind}s as stored
    cross join lateral (
      select sum(quota)::bigint as quota, sum(limited)::bigint as limited, sum(unlogged)::bigint as unlogged,${hasPlans ? ' sum(planned)::bigint as planned,' : ''}
        sum(requests)::bigint as requests, sum(budgeted)::bigint as budgeted, max(used_time) as used_time
      from balance_changes where kind = '${kind}' and owner_id = stored.id
    ) as changes;`;
}

/** Recreates the view of an owner table after a migration has added a column. */
export async function refreshOwnerView(database: Kysely<unknown>, kind: string): Promise<void> {
  if (!isPostgres(database)) return;
  const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${`${kind}s`} order by ordinal_position`.execute(database);
  await sql.raw(`drop view ${kind}s_now`).execute(database);
  const columns = rows.map(({ name }) => name);
  await sql.raw(ownerView(kind, columns)).execute(database);
}
