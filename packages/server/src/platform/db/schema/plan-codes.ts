import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Redemption codes that grant a plan. */
export const planCodes: Migration = {
  async up(database) {
    await sql`alter table redemptions add column plan_id bigint not null default 0`.execute(database);
  },
};
