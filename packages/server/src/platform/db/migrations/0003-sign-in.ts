import type { Migration } from 'kysely/migration';
import { emptyText, notNull, zero } from './columns.ts';

export const signIn: Migration = {
  async up(database) {
    await database.schema
      .createTable('tickets')
      .addColumn('ticket_hash', 'text', (column) => column.primaryKey())
      .addColumn('purpose', 'text', notNull)
      .addColumn('browser_hash', 'text', emptyText)
      .addColumn('user_id', 'bigint', zero)
      .addColumn('detail_sealed', 'text', emptyText)
      .addColumn('expires_time', 'bigint', notNull)
      .execute();
    await database.schema.createIndex('tickets_expiry').on('tickets').column('expires_time').execute();
  },
};
