import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { emptyText } from './columns.ts';

/**
 * Channels know what their requests cost whoever runs the gateway. Where the gateway is in use already, models without a price
 * go on costing what they cost; a new one refuses them.
 */
export const prices: Migration = {
  async up(database) {
    await database.schema.alterTable('channels').addColumn('purchase', 'text', emptyText).execute();
    await sql`insert into options (key, value) select 'ModelsWithoutPrice', 'charge'
      where exists (select 1 from users) and not exists (select 1 from options where key = 'ModelsWithoutPrice')`.execute(
      database,
    );
  },
};
