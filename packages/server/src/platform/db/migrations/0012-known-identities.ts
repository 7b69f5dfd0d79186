import type { Migration } from 'kysely/migration';

/** Filled by the first start after it, which has the key that the fingerprints need. */
export const knownIdentities: Migration = {
  async up(database) {
    await database.schema
      .createTable('known_identities')
      .addColumn('fingerprint', 'text', (column) => column.primaryKey())
      .execute();
  },
};
