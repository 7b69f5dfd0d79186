import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Copies of a share of the requests of a routing rule. */
export const trafficMirrors: Migration = {
  async up(database) {
    await sql`alter table routing_rules add column mirror_model text not null default ''`.execute(database);
    await sql`alter table routing_rules add column mirror_channel text not null default ''`.execute(database);
    await sql`alter table routing_rules add column mirror_percent integer not null default 0`.execute(database);
  },
};
