import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Remembers which plans of users have been announced to end. */
export const planNotices: Migration = {
  async up(database) {
    await sql`alter table user_plans add column ending_notified integer not null default 0`.execute(database);
  },
};
