import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres, notNull } from './columns.ts';

const sealed = ['request_sealed', 'answer_sealed'] as const;

/** Requests and answers, for those who want them kept. */
export const keptBodies: Migration = {
  async up(database) {
    await database.schema
      .createTable('body_keepings')
      .addColumn('kind', 'text', notNull)
      .addColumn('owner_id', 'bigint', notNull)
      .addColumn('user_id', 'bigint', notNull)
      .addColumn('hours', 'bigint', notNull)
      .addColumn('kilobytes', 'bigint', notNull)
      .addColumn('is_own', 'bigint', notNull)
      .addColumn('created_time', 'bigint', notNull)
      .addPrimaryKeyConstraint('body_keepings_primary', ['kind', 'owner_id'])
      .execute();
    await database.schema.createIndex('body_keepings_user').on('body_keepings').column('user_id').execute();
    await createBodies(database);
  },
};

async function createBodies(database: Kysely<unknown>): Promise<void> {
  const bytes = isPostgres(database) ? 'bytea' : 'blob';
  // What is long stands last: the rest of a row is read without it.
  await database.schema
    .createTable('kept_bodies')
    .addColumn('request_id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'bigint', notNull)
    .addColumn('token_id', 'bigint', notNull)
    .addColumn('created_time', 'bigint', notNull)
    .addColumn('expires_time', 'bigint', notNull)
    .addColumn('status', 'bigint', notNull)
    .addColumn('request_bytes', 'bigint', notNull)
    .addColumn('answer_bytes', 'bigint', notNull)
    .addColumn('stored_bytes', 'bigint', notNull)
    .addColumn('request_sealed', bytes, notNull)
    .addColumn('answer_sealed', bytes, notNull)
    .execute();
  // With the room that each takes, so that all of it is added up from the index alone.
  const indexes = { expiry: ['expires_time', 'stored_bytes'], user: ['user_id'], created: ['created_time'] };
  for (const [name, columns] of Object.entries(indexes))
    await database.schema.createIndex(`kept_bodies_${name}`).on('kept_bodies').columns(columns).execute();
  if (!isPostgres(database)) return;
  // It was compressed before it was sealed.
  const kept = sealed.map((column) => sql`alter column ${sql.ref(column)} set storage external`);
  await sql`alter table kept_bodies ${sql.join(kept)}`.execute(database);
}
