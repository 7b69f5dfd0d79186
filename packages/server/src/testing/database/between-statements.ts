import type { KyselyPlugin } from 'kysely';
import type { Database } from '../../platform/db/database.ts';

type Kind = 'SelectQueryNode' | 'DeleteQueryNode';

/** Runs `work` after each statement of this kind on a table, before its result is returned. */
export function afterStatements(database: Database, kind: Kind, table: string, work: () => Promise<void>): Database {
  const watched = new WeakSet<object>();
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      const isAbout = node.kind === kind && JSON.stringify(node.from ?? null).includes(`"${table}"`);
      if (isAbout) watched.add(queryId);
      return node;
    },
    transformResult: async ({ queryId, result }) => {
      if (watched.has(queryId)) await work();
      return result;
    },
  };
  return database.withPlugin(plugin);
}

/** Runs the work only the first time. */
export function runOnce(work: () => Promise<void>): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    isDone = true;
    await work();
  };
}
