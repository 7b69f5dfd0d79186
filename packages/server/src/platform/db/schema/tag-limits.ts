import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Limits for requests with a tag. */
export const tagLimits: Migration = {
  async up(database) {
    await sql`alter table limit_rules add column tag text not null default ''`.execute(database);
  },
};
