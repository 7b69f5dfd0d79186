import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { refreshOwnerView } from './changes.ts';

/** Users whose tokens an admin has disabled; only an admin can create or enable their tokens. */
export const userTokenLocks: Migration = {
  async up(database) {
    await sql`alter table users add column tokens_locked integer not null default 0`.execute(database);
    await refreshOwnerView(database, 'user');
  },
};
