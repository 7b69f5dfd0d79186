import { isMysqlAddress } from './mysql-address.ts';
import type { ImportSource } from './source.ts';
import { SqliteSourceRepository } from './sqlite-source-repository.ts';

interface Opener {
  isFor(from: string): boolean;
  open(address: string): Promise<ImportSource>;
}

/** The servers that can be read. Their drivers are loaded for those who need them. */
const openers: readonly Opener[] = [
  {
    isFor: (from) => /^postgres(ql)?:\/\//i.test(from),
    open: async (address) => {
      const { PostgresSourceRepository } = await import('./postgres-source-repository.ts');
      return PostgresSourceRepository.open(address);
    },
  },
  {
    isFor: isMysqlAddress,
    open: async (address) => {
      const { MysqlSourceRepository } = await import('./mysql-source-repository.ts');
      return MysqlSourceRepository.open(address);
    },
  },
];

/** The database of another gateway: an address of a server, or a SQLite file. */
export async function openSource(from: string): Promise<ImportSource> {
  const opener = openers.find(({ isFor }) => isFor(from));
  return opener ? opener.open(from) : SqliteSourceRepository.open(from);
}
