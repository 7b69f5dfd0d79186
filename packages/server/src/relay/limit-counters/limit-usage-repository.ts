import type { Database } from '../../platform/db/database.ts';

export interface SavedUsage {
  readonly key: string;
  readonly told: string;
  readonly saved_time: number;
}

/** Bounded because the number of parameters per statement is limited. */
const rowsPerStatement = 300;

/** Usage of daily limits, kept across restarts. */
export class LimitUsageRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async save(uses: readonly SavedUsage[]): Promise<void> {
    for (let start = 0; start < uses.length; start += rowsPerStatement) {
      await this.#database
        .insertInto('limit_uses')
        .values(uses.slice(start, start + rowsPerStatement))
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet(({ ref }) => ({
            told: ref('excluded.told'),
            saved_time: ref('excluded.saved_time'),
          })),
        )
        .execute();
    }
  }

  /** Returns entries that still count and deletes older ones. */
  async since(time: number): Promise<SavedUsage[]> {
    await this.#database.deleteFrom('limit_uses').where('saved_time', '<', time).execute();
    return this.#database.selectFrom('limit_uses').selectAll().execute();
  }
}
