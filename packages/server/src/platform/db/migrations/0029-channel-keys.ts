import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createOwnerView } from './0027-unfolded-totals.ts';
import { emptyText, isPostgres, notNull, withId, zero } from './columns.ts';

const counts = ['used_time', 'request_count', 'failure_count', 'failure_time', 'failure_status', 'test_time'] as const;

/** Channels may have several keys, each with a state of its own; one that has one keeps it where it is. */
export const channelKeys: Migration = {
  async up(database) {
    let table = withId(database, database.schema.createTable('channel_keys'))
      .addColumn('channel_id', 'bigint', (column) => column.notNull().references('channels.id').onDelete('cascade'))
      .addColumn('key_sealed', 'text', notNull)
      .addColumn('key_fingerprint', 'text', notNull)
      .addColumn('weight', 'bigint', notNull)
      .addColumn('status', 'bigint', notNull)
      .addColumn('status_reason', 'text', emptyText)
      .addColumn('created_time', 'bigint', notNull)
      .addColumn('response_time', 'bigint', zero)
      .addColumn('failure_reason', 'text', emptyText)
      .addColumn('failure_message', 'text', emptyText);
    for (const column of counts) table = table.addColumn(column, 'bigint', zero);
    await table.addUniqueConstraint('channel_keys_once', ['channel_id', 'key_fingerprint']).execute();
    await database.schema
      .createIndex('channel_keys_fingerprint')
      .on('channel_keys')
      .column('key_fingerprint')
      .execute();
    await database.schema
      .alterTable('channels')
      .addColumn('key_strategy', 'text', (column) => column.notNull().defaultTo('round_robin'))
      .execute();
    for (const column of ['key_count', 'enabled_key_count'])
      await database.schema.alterTable('channels').addColumn(column, 'bigint', zero).execute();
    await database.schema.alterTable('kept_responses').addColumn('key_id', 'bigint', zero).execute();
    if (!isPostgres(database)) return;
    // A view has the columns that there were when it was made.
    await sql`drop view channels_now`.execute(database);
    await createOwnerView(database, 'channels');
  },
};
