import type { Database } from '../../platform/db/database.ts';

export interface SavedUse {
  readonly key: string;
  readonly told: string;
  readonly saved_time: number;
}

/** Bound by the number of parameters one statement may carry. */
const rowsPerStatement = 300;

/** What counts against limits of whole days, over restarts. */
export class LimitUseRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async save(uses: readonly SavedUse[]): Promise<void> {
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

  /** Those that may still count; older ones are gone for good. */
  async since(time: number): Promise<SavedUse[]> {
    await this.#database.deleteFrom('limit_uses').where('saved_time', '<', time).execute();
    return this.#database.selectFrom('limit_uses').selectAll().execute();
  }
}
