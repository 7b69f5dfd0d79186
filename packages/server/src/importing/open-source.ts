import type { ImportSource } from './source.ts';
import { SqliteSourceRepository } from './sqlite-source-repository.ts';

interface Opener {
  /** What its addresses begin with. */
  readonly address: RegExp;
  open(address: string): Promise<ImportSource>;
}

/** The servers that can be read. Their drivers are loaded for those who need them. */
const openers: readonly Opener[] = [
  {
    address: /^postgres(ql)?:\/\//i,
    open: async (address) => {
      const { PostgresSourceRepository } = await import('./postgres-source-repository.ts');
      return PostgresSourceRepository.open(address);
    },
  },
];

/** The database of another gateway: an address of a server, or a SQLite file. */
export async function openSource(from: string): Promise<ImportSource> {
  const opener = openers.find(({ address }) => address.test(from));
  return opener ? opener.open(from) : SqliteSourceRepository.open(from);
}
