import type { Migration } from 'kysely/migration';

/** Of a pack that was made before packs had versions; one that is made anew has another. */
const firstVersion = 1;

/** Packs of usage say which making of them they are, so that whoever has read one knows whether it is still the same. */
export const packVersions: Migration = {
  async up(database) {
    await database.schema
      .alterTable('usage_packs')
      .addColumn('version', 'bigint', (column) => column.notNull().defaultTo(firstVersion))
      .execute();
  },
};
