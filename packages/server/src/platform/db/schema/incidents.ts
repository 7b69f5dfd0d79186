import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../backend.ts';
import { postgresSyntax, sqliteSyntax } from './sql-syntax.ts';

/** Incidents on the status page. */
export const incidents: Migration = {
  async up(database) {
    const { id } = isPostgres(database) ? postgresSyntax : sqliteSyntax;
    await sql`create table incidents (
      id ${sql.raw(id)},
      title text not null,
      text text not null,
      severity text not null,
      models text not null,
      updates text not null,
      start_time bigint not null,
      end_time bigint not null,
      created_time bigint not null
    )`.execute(database);
    await sql`create index incidents_start on incidents (start_time)`.execute(database);
  },
};
