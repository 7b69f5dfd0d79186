import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { emptyText, zero } from './columns.ts';

const texts = ['test_reason', 'test_message', 'tested_model', 'failure_reason', 'failure_message', 'failure_model'];
const numbers = ['is_failing', 'test_status', 'failure_time', 'failure_status', 'failure_count'];

/** What is known of a channel's last test and of its last failures. */
export const channelHealth: Migration = {
  async up(database) {
    for (const column of texts)
      await database.schema.alterTable('channels').addColumn(column, 'text', emptyText).execute();
    for (const column of numbers)
      await database.schema.alterTable('channels').addColumn(column, 'bigint', zero).execute();
    // A failed test had no words, but it left a time of its own and no time of an answer.
    await sql`update channels set test_reason = 'other', is_failing = 1
      where test_time > 0 and response_time = 0`.execute(database);
  },
};
