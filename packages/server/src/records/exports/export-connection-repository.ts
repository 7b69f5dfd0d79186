import { cancelBackend } from '../../platform/db/backend.ts';
import type { Database, DatabaseLocation } from '../../platform/db/database.ts';

export type { DatabaseLocation };

/** Database connections of exports. */
export class ExportConnectionRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Cancels the running query of an export. */
  cancel(backend: number): Promise<void> {
    return cancelBackend(this.#database, backend);
  }
}
