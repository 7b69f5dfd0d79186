import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres, notNull } from './columns.ts';

const sealed = ['input_sealed', 'answer_sealed'] as const;

/** Responses that the gateway stores for upstreams without a store of their own. */
export const storedResponses: Migration = {
  async up(database) {
    await createResponses(database);
    await database.schema
      .createTable('stored_response_items')
      .addColumn('user_id', 'bigint', notNull)
      .addColumn('item_id', 'text', notNull)
      .addColumn('response_id', 'text', notNull)
      .addColumn('created_time', 'bigint', notNull)
      .addPrimaryKeyConstraint('stored_response_items_key', ['user_id', 'item_id'])
      .execute();
    await index(database, 'stored_response_items', 'response', ['user_id', 'response_id']);
    await index(database, 'stored_response_items', 'created', ['created_time']);
  },
};

async function createResponses(database: Kysely<unknown>): Promise<void> {
  const bytes = isPostgres(database) ? 'bytea' : 'blob';
  // Long columns are last: the others are read without them.
  await database.schema
    .createTable('stored_responses')
    .addColumn('user_id', 'bigint', notNull)
    .addColumn('response_id', 'text', notNull)
    .addColumn('created_time', 'bigint', notNull)
    .addColumn('input_bytes', 'bigint', notNull)
    .addColumn('answer_bytes', 'bigint', notNull)
    .addColumn('stored_bytes', 'bigint', notNull)
    .addColumn('input_sealed', bytes, notNull)
    .addColumn('answer_sealed', bytes, notNull)
    .addPrimaryKeyConstraint('stored_responses_key', ['user_id', 'response_id'])
    .execute();
  // Covers the sum of a user's bytes.
  await index(database, 'stored_responses', 'user', ['user_id', 'created_time', 'stored_bytes']);
  await index(database, 'stored_responses', 'created', ['created_time']);
  if (!isPostgres(database)) return;
  // Compressed before it is sealed.
  const columns = sealed.map((column) => sql`alter column ${sql.ref(column)} set storage external`);
  await sql`alter table stored_responses ${sql.join(columns)}`.execute(database);
}

const index = (database: Kysely<unknown>, table: string, name: string, columns: string[]): Promise<void> =>
  database.schema.createIndex(`${table}_${name}`).on(table).columns(columns).execute();
