import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Tag of the channels that serve the share of a traffic split. */
export const splitTags: Migration = {
  async up(database) {
    await sql`alter table routing_rules add column split_tag text not null default ''`.execute(database);
  },
};
