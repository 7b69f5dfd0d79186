import type { Migration } from 'kysely/migration';
import { emptyText, notNull, zero } from './columns.ts';

export const secondFactor: Migration = {
  async up(database) {
    await database.schema.alterTable('users').addColumn('second_factor', 'integer', zero).execute();
    await database.schema
      .createTable('authenticators')
      .addColumn('user_id', 'bigint', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
      .addColumn('secret_sealed', 'text', notNull)
      .addColumn('last_step', 'bigint', zero)
      .execute();
    await database.schema
      .createTable('backup_codes')
      .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('code_hash', 'text', notNull)
      .addPrimaryKeyConstraint('backup_codes_key', ['user_id', 'code_hash'])
      .execute();
    await database.schema
      .createTable('passkeys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'bigint', (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('public_key', 'text', notNull)
      .addColumn('counter', 'bigint', zero)
      .addColumn('transports', 'text', emptyText)
      .addColumn('name', 'text', emptyText)
      .addColumn('created_time', 'bigint', notNull)
      .addColumn('used_time', 'bigint', zero)
      .execute();
    await database.schema.createIndex('passkeys_user').on('passkeys').column('user_id').execute();
  },
};
