import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';

/** What channels offer, counted. */
export class PriceRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** How many enabled channels offer each model. */
  async channelsByModel(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#database
      .selectFrom('abilities')
      .select(['model', sql<number | string>`count(distinct channel_id)`.as('channels')])
      .where('enabled', '=', 1)
      .groupBy('model')
      .execute();
    return new Map(rows.map(({ model, channels }) => [model, Number(channels)]));
  }
}
