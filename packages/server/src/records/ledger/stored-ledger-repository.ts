import type { Ledger } from '@headgate/contract';
import { type DatabaseLocation, openForReading } from '../../platform/db/database.ts';
import { StartFailure } from '../../platform/errors/start-failure.ts';
import { LedgerRepository } from './ledger-repository.ts';

/** Checks the ledger of the configured database, or of the given file or URL. Read-only. */
export async function checkStoredLedger(location: DatabaseLocation, from?: string): Promise<Ledger> {
  const database = await openForReading(location, from);
  try {
    return await new LedgerRepository(database).check('rows');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartFailure(`This database has no ledger (${reason}). Start this version of Headgate on it once.`);
  } finally {
    await database.destroy();
  }
}
