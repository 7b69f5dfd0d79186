import { existsSync } from 'node:fs';
import { ImportError } from '../import-error.ts';
import { isMysqlAddress } from './mysql-address.ts';
import { defaultSourceLimits, type ImportSource, type SourceLimits } from './source.ts';
import { SqliteSource } from './sqlite-source.ts';

interface Opener {
  isFor(from: string): boolean;
  open(address: string, limits: SourceLimits): Promise<ImportSource>;
}

/** Supported database servers. Their drivers are loaded on demand. */
const openers: readonly Opener[] = [
  {
    isFor: (from) => /^postgres(ql)?:\/\//i.test(from),
    open: async (address, limits) => {
      const { openPostgresSource } = await import('./postgres-source.ts');
      return openPostgresSource(address, limits);
    },
  },
  {
    isFor: isMysqlAddress,
    open: async (address, limits) => {
      const { openMysqlSource } = await import('./mysql-source.ts');
      return openMysqlSource(address, limits);
    },
  },
];

/** An unsupported source may still be a URL with a password, which must not be printed. */
const mayContainPassword = (from: string): boolean =>
  from.includes('@') || from.includes('://') || /password|pwd/i.test(from);

/** Opens the database of another gateway: a server URL or a SQLite file. */
export async function openSource(from: string, limits: SourceLimits = defaultSourceLimits): Promise<ImportSource> {
  if (existsSync(from)) return SqliteSource.open(from);
  const opener = openers.find(({ isFor }) => isFor(from));
  if (opener) return opener.open(from, limits);
  if (mayContainPassword(from)) {
    throw new ImportError(
      'The source is neither a file nor an address like postgres://user@host/name, mysql://user@host/name or user@tcp(host:3306)/name.',
    );
  }
  throw new ImportError(`File ${from} not found.`);
}
