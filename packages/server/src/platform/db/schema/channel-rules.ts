import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { refreshOwnerView } from './changes.ts';

/** Rules of a channel, as JSON. */
export const channelRules: Migration = {
  async up(database) {
    await sql`alter table channels add column rules text not null default ''`.execute(database);
    await refreshOwnerView(database, 'channel');
  },
};
