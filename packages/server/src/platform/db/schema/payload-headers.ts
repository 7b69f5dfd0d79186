import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../backend.ts';

/** Headers of requests with stored payloads; null for payloads of older versions. */
export const payloadHeaders: Migration = {
  async up(database) {
    const type = sql.raw(isPostgres(database) ? 'bytea' : 'blob');
    await sql`alter table kept_bodies add column headers_sealed ${type}`.execute(database);
  },
};
