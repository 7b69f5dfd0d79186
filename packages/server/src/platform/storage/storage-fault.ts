/** Why a reachable database cannot store anything. */
export type StorageFault = 'full' | 'read-only' | 'failing';

/** PostgreSQL codes: disk full, read-only transaction, I/O error. */
const serverFaults: Readonly<Record<string, StorageFault>> = { 53100: 'full', 25006: 'read-only', 58030: 'failing' };

/** SQLite result codes; details are in the higher bits. */
const sqliteFaults: Readonly<Record<number, StorageFault>> = {
  8: 'read-only',
  10: 'failing',
  13: 'full',
  14: 'failing',
};

/** Undefined for other errors. */
export function classifyStorageFault(error: unknown): StorageFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  if (typeof errcode === 'number') return sqliteFaults[errcode & 0xff];
  return typeof code === 'string' ? serverFaults[code] : undefined;
}

/** For writes that can wait: a read-only database is still usable for reads. */
export function ignoreStorageFault(error: unknown): void {
  if (classifyStorageFault(error) === undefined) throw error;
}

/** Wording for logs, `/readyz` and clients. */
export const storageFaultMessages: Readonly<Record<StorageFault | 'slow', string>> = {
  full: 'the database disk is full',
  'read-only': 'the database is read-only',
  failing: 'the database disk is failing',
  slow: 'charges have been waiting for seconds to be stored',
};
