import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../backend.ts';
import { postgresSyntax, sqliteSyntax } from './sql-syntax.ts';

/** Daily check-ins, and the shares of inviters in the orders of the users they invited. */
export const rewards: Migration = {
  async up(database) {
    const { id } = isPostgres(database) ? postgresSyntax : sqliteSyntax;
    const statements = [
      `create table check_ins (
        user_id bigint not null primary key references users (id) on delete cascade,
        day bigint not null
      )`,
      `create table referral_shares (
        id ${id},
        order_id bigint not null unique,
        inviter_id bigint not null,
        invited_id bigint not null,
        full_quota bigint not null,
        cap bigint not null,
        quota bigint not null,
        created_time bigint not null,
        available_time bigint not null
      )`,
      'create index referral_shares_inviter on referral_shares (inviter_id, id)',
      'create index referral_shares_invited on referral_shares (invited_id)',
      `create table referral_withdrawals (
        id ${id},
        user_id bigint not null,
        kind text not null,
        quota bigint not null,
        details text not null,
        state text not null,
        note text not null default '',
        created_time bigint not null,
        closed_time bigint not null,
        closed_by bigint not null default 0
      )`,
      'create index referral_withdrawals_user on referral_withdrawals (user_id, id)',
    ];
    for (const statement of statements) await sql.raw(statement).execute(database);
  },
};
