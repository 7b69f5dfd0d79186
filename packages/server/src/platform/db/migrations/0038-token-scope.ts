import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createOwnerView } from './0027-unfolded-totals.ts';
import { emptyText, isPostgres, zero } from './columns.ts';

const texts = ['note', 'groups', 'dialects', 'endpoints', 'channels', 'tags', 'old_key_hash'] as const;

/** What a token is for, what it is narrowed to, and the key that it had before. */
export const tokenScope: Migration = {
  async up(database) {
    for (const column of texts)
      await database.schema.alterTable('tokens').addColumn(column, 'text', emptyText).execute();
    await database.schema.alterTable('tokens').addColumn('old_key_until', 'bigint', zero).execute();
    await database.schema
      .createIndex('tokens_old_key')
      .on('tokens')
      .column('old_key_hash')
      .where(sql.ref('old_key_hash'), '<>', '')
      .execute();
    if (!isPostgres(database)) return;
    // A view has the columns that there were when it was made.
    await sql`drop view tokens_now`.execute(database);
    await createOwnerView(database, 'tokens');
  },
};
