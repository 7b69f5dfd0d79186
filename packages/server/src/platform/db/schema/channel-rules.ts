import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../is-postgres.ts';
import { ownerView } from './changes.ts';

/** Rules of a channel, as JSON. */
export const channelRules: Migration = {
  async up(database) {
    await sql`alter table channels add column rules text not null default ''`.execute(database);
    if (!isPostgres(database)) return;
    const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
      where table_schema = current_schema() and table_name = 'channels' order by ordinal_position`.execute(database);
    await sql`drop view channels_now`.execute(database);
    const columns = rows.map(({ name }) => name);
    await sql.raw(ownerView('channel', columns)).execute(database);
  },
};
