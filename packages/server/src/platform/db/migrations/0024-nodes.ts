import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from './columns.ts';

/** Which processes share the database. After a crash each says again that it is there, so nothing of it needs a log. */
export const nodes: Migration = {
  async up(database) {
    // SQLite has only one.
    if (!isPostgres(database)) return;
    await sql`create unlogged table nodes (
      id text primary key,
      name text not null,
      version text not null,
      started_time bigint not null,
      settings text not null,
      seen_ms bigint not null,
      running bigint not null,
      lag_ms bigint not null,
      lease_number bigint not null,
      unconfirmed_time bigint not null default 0
    ) with (fillfactor = 50, autovacuum_vacuum_threshold = 500)`.execute(database);
  },
};
