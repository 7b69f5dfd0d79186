import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from './columns.ts';

/** What all nodes count together against those who guess. What a crash empties only forgives them some of it. */
export const limitCounts: Migration = {
  async up(database) {
    // SQLite has one process, which counts in memory.
    if (!isPostgres(database)) return;
    await sql`create unlogged table limit_counts (
      key text primary key,
      count bigint not null,
      ends_ms bigint not null
    )`.execute(database);
    await sql`create index limit_counts_ends_ms on limit_counts (ends_ms)`.execute(database);
  },
};
