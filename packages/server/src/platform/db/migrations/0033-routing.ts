import type { Migration } from 'kysely/migration';
import { emptyText, notNull, withId, zero } from './columns.ts';

/** How channels are chosen for a group and a model, and other names of models. */
export const routing: Migration = {
  async up(database) {
    await withId(database, database.schema.createTable('routing_rules'))
      .addColumn('group', 'text', emptyText)
      .addColumn('model', 'text', emptyText)
      .addColumn('strategy', 'text', notNull)
      .addColumn('affinity', 'text', notNull)
      .addColumn('fits_window', 'bigint', zero)
      .addColumn('hedge_ms', 'bigint', zero)
      .addColumn('fallbacks', 'text', emptyText)
      .addColumn('created_time', 'bigint', notNull)
      .addUniqueConstraint('routing_rules_once', ['group', 'model'])
      .execute();
    await withId(database, database.schema.createTable('model_aliases'))
      .addColumn('pattern', 'text', notNull)
      .addColumn('model', 'text', notNull)
      .addColumn('created_time', 'bigint', notNull)
      .addUniqueConstraint('model_aliases_once', ['pattern'])
      .execute();
  },
};
