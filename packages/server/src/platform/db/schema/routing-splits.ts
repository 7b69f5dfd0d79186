import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Share of the requests of a routing rule that another model serves. */
export const routingSplits: Migration = {
  async up(database) {
    await sql`alter table routing_rules add column split_model text not null default ''`.execute(database);
    await sql`alter table routing_rules add column split_percent integer not null default 0`.execute(database);
    await sql`alter table routing_rules add column split_own_price integer not null default 0`.execute(database);
  },
};
