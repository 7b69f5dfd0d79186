import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Time of the last request that used a stored response; unused ones are deleted first. */
export const storedResponseUse: Migration = {
  async up(database) {
    await sql`alter table stored_responses add column used_time bigint not null default 0`.execute(database);
    await sql`update stored_responses set used_time = created_time`.execute(database);
    await sql`create index stored_responses_used on stored_responses (used_time)`.execute(database);
  },
};
