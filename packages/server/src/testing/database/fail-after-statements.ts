import type { KyselyPlugin } from 'kysely';
import type { Database } from '../../platform/db/database.ts';

/** A database that fails after this number of statements, as if the process was killed there. */
export function failAfterStatements(database: Database, statements: number): Database {
  let left = statements;
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      left -= 1;
      if (left < 0) throw new Error('killed');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return database.withPlugin(plugin);
}
