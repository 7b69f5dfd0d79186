import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../backend.ts';
import { postgresSyntax, sqliteSyntax } from './sql-syntax.ts';

/** Redemption codes that expire, or that several users can redeem once each. */
export const redemptionUses: Migration = {
  async up(database) {
    const { id } = isPostgres(database) ? postgresSyntax : sqliteSyntax;
    const statements = [
      'alter table redemptions add column expired_time bigint not null default 0',
      'alter table redemptions add column max_uses bigint not null default 1',
      'alter table redemptions add column use_count bigint not null default 0',
      'update redemptions set use_count = 1 where status = 3',
      // Kept when the code is deleted, because deleting codes can be undone.
      `create table redemption_uses (
        id ${id},
        redemption_id bigint not null,
        user_id bigint not null,
        account_id bigint not null,
        quota bigint not null,
        created_time bigint not null,
        constraint redemption_uses_once unique (redemption_id, user_id)
      )`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(database);
  },
};
