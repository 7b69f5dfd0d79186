import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Cost of each key, as a percentage of the channel's cost. */
export const keyCosts: Migration = {
  async up(database) {
    await sql`alter table channel_keys add column cost_percent bigint not null default 100`.execute(database);
  },
};
