import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { refreshOwnerView } from './changes.ts';

/** Tokens that an admin disabled; only an admin can enable them. */
export const tokenLocks: Migration = {
  async up(database) {
    await sql`alter table tokens add column is_locked integer not null default 0`.execute(database);
    await sql`alter table tokens add column lock_reason text not null default ''`.execute(database);
    await refreshOwnerView(database, 'token');
  },
};
