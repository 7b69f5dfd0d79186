import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../backend.ts';
import { postgresSyntax, sqliteSyntax } from './sql-syntax.ts';

/** Quota orders, and the callbacks of payment providers. */
export const orders: Migration = {
  async up(database) {
    const { id } = isPostgres(database) ? postgresSyntax : sqliteSyntax;
    const statements = [
      `create table orders (
        id ${id},
        number text not null unique,
        account_id bigint not null,
        created_by bigint not null,
        provider text not null,
        method text not null,
        currency text not null,
        amount bigint not null,
        quota bigint not null,
        bonus_quota bigint not null,
        price text not null,
        state text not null,
        provider_id text not null default '',
        payment_id text not null default '',
        closing text not null default '',
        refunded_amount bigint not null default 0,
        disputed_amount bigint not null default 0,
        dispute text not null default '',
        credited_quota bigint not null default 0,
        note text not null default '',
        created_time bigint not null,
        paid_time bigint not null default 0,
        checked_time bigint not null default 0,
        next_check_time bigint not null default 0,
        leased_ms bigint not null default 0
      )`,
      // One payment pays for one order.
      "create unique index orders_payment on orders (provider, payment_id) where payment_id <> ''",
      'create index orders_account on orders (account_id, id)',
      "create index orders_due on orders (next_check_time) where state in ('created', 'pending')",
      `create table payment_callbacks (
        id ${id},
        provider text not null,
        order_id bigint not null,
        number text not null,
        source text not null,
        event text not null,
        kind text not null,
        payment_id text not null,
        amount bigint not null,
        currency text not null,
        verdict text not null,
        detail text not null,
        created_time bigint not null
      )`,
      'create index payment_callbacks_order on payment_callbacks (order_id, id)',
      "create index payment_callbacks_payment on payment_callbacks (provider, payment_id) where payment_id <> ''",
    ];
    for (const statement of statements) await sql.raw(statement).execute(database);
  },
};
