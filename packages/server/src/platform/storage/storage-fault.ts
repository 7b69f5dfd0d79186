/** Why a database that answers cannot store anything. */
export type StorageFault = 'full' | 'read-only' | 'failing';

/** PostgreSQL's codes: disk full, read-only transaction, error of input or output. */
const serverFaults: Readonly<Record<string, StorageFault>> = { 53100: 'full', 25006: 'read-only', 58030: 'failing' };

/** SQLite's own numbers, whose details are in the higher bits. */
const sqliteFaults: Readonly<Record<number, StorageFault>> = {
  8: 'read-only',
  10: 'failing',
  13: 'full',
  14: 'failing',
};

/** Undefined when the error says something else. */
export function storageFaultOf(error: unknown): StorageFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  if (typeof errcode === 'number') return sqliteFaults[errcode & 0xff];
  return typeof code === 'string' ? serverFaults[code] : undefined;
}

/** For what may as well be written later: a database that can only be read is still read. */
export function unlessUnstorable(error: unknown): void {
  if (storageFaultOf(error) === undefined) throw error;
}

/** As logs, `/readyz` and clients are told it. */
export const faultWords: Readonly<Record<StorageFault | 'slow', string>> = {
  full: 'the disk of the database is full',
  'read-only': 'the database can only be read',
  failing: 'the disk of the database fails',
  slow: 'charges have waited for seconds to be stored',
};
