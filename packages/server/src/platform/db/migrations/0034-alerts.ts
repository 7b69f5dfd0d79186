import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { emptyText, notNull, withId, zero } from './columns.ts';

/** Alerts: receivers, rules, what is to be sent, and what they are found out by. */
export const alerts: Migration = {
  async up(database) {
    await createRules(database);
    await createQueue(database);
    await database.schema
      .createTable('alert_minutes')
      .addColumn('minute', 'bigint', notNull)
      .addColumn('node', 'text', notNull)
      .addColumn('channel', 'bigint', notNull)
      .addColumn('requests', 'bigint', notNull)
      .addColumn('failures', 'bigint', notNull)
      .addColumn('latencies', 'text', notNull)
      .addPrimaryKeyConstraint('alert_minutes_key', ['minute', 'node', 'channel'])
      .execute();
    await database.schema
      .createTable('known_networks')
      .addColumn('user_id', 'bigint', notNull)
      .addColumn('network', 'text', notNull)
      .addColumn('seen_time', 'bigint', notNull)
      .addPrimaryKeyConstraint('known_networks_key', ['user_id', 'network'])
      .execute();
  },
};

async function createRules(database: Kysely<unknown>): Promise<void> {
  await withId(database, database.schema.createTable('alert_receivers'))
    .addColumn('kind', 'text', notNull)
    .addColumn('name', 'text', notNull)
    .addColumn('language', 'text', notNull)
    .addColumn('settings_sealed', 'text', notNull)
    .addColumn('created_time', 'bigint', notNull)
    .addColumn('last_time', 'bigint', zero)
    .addColumn('last_error', 'text', emptyText)
    .execute();
  await withId(database, database.schema.createTable('alert_rules'))
    .addColumn('kind', 'text', notNull)
    .addColumn('settings', 'text', notNull)
    .addColumn('created_time', 'bigint', notNull)
    .execute();
  await database.schema
    .createTable('alert_claims')
    .addColumn('rule_id', 'bigint', notNull)
    .addColumn('subject', 'text', notNull)
    .addColumn('time', 'bigint', notNull)
    .addPrimaryKeyConstraint('alert_claims_key', ['rule_id', 'subject'])
    .execute();
}

async function createQueue(database: Kysely<unknown>): Promise<void> {
  await withId(database, database.schema.createTable('alert_queue'))
    .addColumn('event_id', 'text', notNull)
    .addColumn('kind', 'text', notNull)
    .addColumn('receiver_id', 'bigint', notNull)
    .addColumn('receiver_kind', 'text', notNull)
    .addColumn('receiver_name', 'text', notNull)
    .addColumn('title', 'text', notNull)
    .addColumn('message', 'text', notNull)
    .addColumn('state', 'text', notNull)
    .addColumn('tries', 'bigint', zero)
    .addColumn('created_time', 'bigint', notNull)
    .addColumn('next_time', 'bigint', notNull)
    .addColumn('sent_time', 'bigint', zero)
    .addColumn('leased_ms', 'bigint', zero)
    .addColumn('last_error', 'text', emptyText)
    // Whatever is written twice, and by whichever node, is sent once.
    .addUniqueConstraint('alert_queue_once', ['event_id', 'receiver_id'])
    .execute();
  await database.schema.createIndex('alert_queue_due').on('alert_queue').columns(['state', 'next_time']).execute();
  await database.schema.createIndex('alert_queue_created').on('alert_queue').column('created_time').execute();
}
