import type { Migration } from 'kysely/migration';
import { emptyText, notNull, withId, zero } from './columns.ts';

/** Models of channels that requests pass over until they answer; one that is over is kept for a while, as it tells how long the next one lasts. */
export const channelPauses: Migration = {
  async up(database) {
    await withId(database, database.schema.createTable('channel_pauses'))
      .addColumn('channel_id', 'bigint', (column) => column.notNull().references('channels.id').onDelete('cascade'))
      .addColumn('model', 'text', emptyText)
      .addColumn('reason', 'text', emptyText)
      .addColumn('message', 'text', emptyText)
      .addColumn('status', 'bigint', zero)
      .addColumn('since', 'bigint', notNull)
      .addColumn('next_probe', 'bigint', notNull)
      .addColumn('pause', 'bigint', notNull)
      .addColumn('probes', 'bigint', zero)
      .addColumn('ended_time', 'bigint', zero)
      .addColumn('is_disabled', 'bigint', zero)
      .addUniqueConstraint('channel_pauses_once', ['channel_id', 'model'])
      .execute();
    await database.schema
      .createIndex('channel_pauses_due')
      .on('channel_pauses')
      .columns(['ended_time', 'next_probe'])
      .execute();
  },
};
