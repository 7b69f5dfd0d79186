import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../backend.ts';
import { postgresSyntax, sqliteSyntax } from './sql-syntax.ts';

/** Plans that renew. Each paid period of a subscription is an order. */
export const subscriptions: Migration = {
  async up(database) {
    const { id } = isPostgres(database) ? postgresSyntax : sqliteSyntax;
    for (const statement of [
      'alter table plans add column recurring integer not null default 0',
      'alter table user_plans add column subscription_id bigint not null default 0',
      'alter table orders add column recurring_days bigint not null default 0',
      'alter table orders add column subscription_id bigint not null default 0',
      'alter table orders add column period_start bigint not null default 0',
      'alter table orders add column period_end bigint not null default 0',
      "alter table orders add column charge_id text not null default ''",
      "alter table payment_callbacks add column charge_id text not null default ''",
      // A period is paid once.
      `create unique index orders_period on orders (subscription_id, period_start) where subscription_id <> 0`,
      "create unique index orders_charge on orders (provider, charge_id) where charge_id <> ''",
      'create index user_plans_subscription on user_plans (subscription_id) where subscription_id <> 0',
      `create table subscriptions (
        id ${id},
        order_id bigint not null unique,
        account_id bigint not null,
        provider text not null,
        provider_id text not null,
        state text not null,
        renews integer not null,
        period_end bigint not null,
        event_time bigint not null default 0,
        created_time bigint not null,
        next_check_time bigint not null,
        leased_ms bigint not null default 0,
        unique (provider, provider_id)
      )`,
      "create index subscriptions_due on subscriptions (next_check_time) where state <> 'ended'",
    ])
      await sql.raw(statement).execute(database);
  },
};
