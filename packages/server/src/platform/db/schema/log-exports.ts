import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../backend.ts';
import { postgresSyntax, sqliteSyntax } from './sql-syntax.ts';

/** Destinations of log exports, each with the id of its last exported log. */
export const logExports: Migration = {
  async up(database) {
    const { id } = isPostgres(database) ? postgresSyntax : sqliteSyntax;
    await sql
      .raw(`create table log_exports (
      id ${id},
      kind text not null,
      name text not null,
      enabled integer not null,
      settings_sealed text not null,
      created_time bigint not null,
      cursor_id bigint not null,
      sent_rows bigint not null default 0,
      sent_time bigint not null default 0,
      last_error text not null default '',
      tries bigint not null default 0,
      next_time bigint not null default 0,
      leased_ms bigint not null default 0
    )`)
      .execute(database);
  },
};
