import type { KyselyPlugin } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { SumFoldRepository } from '../../records/logs/sum-fold-repository.ts';
import { TokenPackRepository } from '../../records/usage/token-pack-repository.ts';
import { UsagePackRepository } from '../../records/usage/usage-pack-repository.ts';
import { UsagePackingService } from '../../records/usage/usage-packing-service.ts';

/** Packs when it is told to, and fails aloud. */
export const packerOf = (database: Database): UsagePackingService =>
  new UsagePackingService({
    packs: new UsagePackRepository(database),
    tokens: new TokenPackRepository(database),
    fold: () => new SumFoldRepository(database).fold(),
    onFailure: (error) => {
      throw error;
    },
  });

/** Nothing is sent after so many statements, as when the process is killed there. */
export function endingAfter(database: Database, statements: number): Database {
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
