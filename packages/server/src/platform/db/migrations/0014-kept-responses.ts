import type { Migration } from 'kysely/migration';
import { notNull } from './columns.ts';

export const keptResponses: Migration = {
  async up(database) {
    await database.schema
      .createTable('kept_responses')
      .addColumn('user_id', 'bigint', notNull)
      .addColumn('response_id', 'text', notNull)
      .addColumn('channel_id', 'bigint', notNull)
      .addColumn('tokens', 'bigint', notNull)
      .addColumn('attached_tokens', 'bigint', notNull)
      .addColumn('expires_time', 'bigint', notNull)
      .addPrimaryKeyConstraint('kept_responses_key', ['user_id', 'response_id'])
      .execute();
    await database.schema
      .createIndex('kept_responses_expires_time')
      .on('kept_responses')
      .column('expires_time')
      .execute();
  },
};
