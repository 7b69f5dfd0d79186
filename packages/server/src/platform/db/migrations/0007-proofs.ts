import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { zero } from './columns.ts';

export const proofs: Migration = {
  async up(database) {
    await database.schema.alterTable('sessions').addColumn('proved_time', 'bigint', zero).execute();
    await sql`update sessions set proved_time = created_time`.execute(database);
  },
};
