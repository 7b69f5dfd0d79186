import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../backend.ts';
import { refreshOwnerView } from './changes.ts';
import { postgresSyntax, sqliteSyntax } from './sql-syntax.ts';

const tables = (id: string): readonly string[] => [
  `create table plans (
    id ${id},
    name text not null unique,
    description text not null default '',
    currency text not null,
    price bigint not null,
    days bigint not null,
    windows text not null,
    time_zone text not null,
    models text not null default '',
    "groups" text not null default '',
    upgrade_group text not null default '',
    max_per_user bigint not null default 0,
    enabled integer not null,
    sort bigint not null default 0,
    created_time bigint not null
  )`,
  `create table user_plans (
    id ${id},
    user_id bigint not null,
    plan_id bigint not null,
    order_id bigint not null default 0,
    created_by bigint not null,
    name text not null,
    models text not null default '',
    "groups" text not null default '',
    upgrade_group text not null default '',
    starts_time bigint not null,
    ends_time bigint not null,
    state text not null,
    note text not null default '',
    created_time bigint not null
  )`,
  'create index user_plans_user on user_plans (user_id, ends_time)',
  'create index user_plans_plan on user_plans (plan_id, user_id)',
  'create unique index user_plans_order on user_plans (order_id) where order_id <> 0',
];

/** Plans for sale, and the plans of users. Each window of a user's plan is a budget of kind `plan`. */
export const plans: Migration = {
  async up(database) {
    const isOnPostgres = isPostgres(database);
    const { id } = isOnPostgres ? postgresSyntax : sqliteSyntax;
    if (isOnPostgres)
      await sql`alter table balance_changes add column planned bigint not null default 0`.execute(database);
    await sql`alter table users add column plan_quota bigint not null default 0`.execute(database);
    await refreshOwnerView(database, 'user');
    const columns = [
      'alter table budgets add column hours bigint not null default 0',
      'alter table orders add column plan_id bigint not null default 0',
      "alter table orders add column plan_name text not null default ''",
    ];
    for (const statement of [...columns, ...tables(id)]) await sql.raw(statement).execute(database);
  },
};
