import type { SchemaPart } from './sql-syntax.ts';

/** Metadata of the database, imported rows, and the nodes that share a PostgreSQL database. */
export const platform: SchemaPart = {
  tables: () => `
create table meta (
  key text primary key,
  value text not null
);

-- Rows imported from another gateway, so that a second import skips them.
create table imported_rows (
  source text not null,
  kind text not null,
  source_id text not null,
  id bigint not null,
  constraint imported_rows_key primary key (source, kind, source_id)
);
`,

  postgres: `
-- Processes that use this database. Unlogged: after a crash each process registers again.
create unlogged table nodes (
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
) with (fillfactor = 50, autovacuum_vacuum_threshold = 500);

-- Failed attempts counted over all nodes. SQLite has one process, which counts in memory.
create unlogged table limit_counts (
  key text primary key,
  count bigint not null,
  ends_ms bigint not null
);
create index limit_counts_ends_ms on limit_counts (ends_ms);
`,
};
