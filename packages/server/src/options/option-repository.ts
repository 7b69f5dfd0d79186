import type { Database } from '../db/database.ts';

export class OptionRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  all(): Promise<{ key: string; value: string }[]> {
    return this.#database.selectFrom('options').selectAll().execute();
  }
}
