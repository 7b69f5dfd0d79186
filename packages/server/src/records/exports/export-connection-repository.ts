import { cancelBackend } from '../../platform/db/backend.ts';
import type { Database, DatabaseLocation } from '../../platform/db/database.ts';

export type { DatabaseLocation };

/** Connections that exports have of their own. */
export class ExportConnectionRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Ends what one of them is asking. */
  cancel(backend: number): Promise<void> {
    return cancelBackend(this.#database, backend);
  }
}
