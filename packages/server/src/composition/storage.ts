import { statfs } from 'node:fs/promises';
import { stateOfDatabase } from '../db/database-state.ts';
import type { StorageFault } from '../storage/storage-fault.ts';
import { StorageHealth } from '../storage/storage-health.ts';
import type { AppDependencies } from './app-dependencies.ts';
import type { CoreServices } from './core-services.ts';

/** SQLite writes up to 16 MB ahead of the file itself, and needs room for both. */
const leastFreeBytes = 32 * 1024 * 1024;

/** Watches whether charges can be stored: the disk of a SQLite file, and whether the database may be written to. */
export function watchStorage(
  { config, logger, freeBytes = () => freeBytesOf(config.dataDir) }: AppDependencies,
  { relayDatabase }: CoreServices,
  oldestUnstoredMs: () => number,
): StorageHealth {
  const look = async (): Promise<StorageFault | undefined> => {
    if (config.databaseUrl === undefined && (await freeBytes()) < leastFreeBytes) return 'full';
    return (await stateOfDatabase(relayDatabase)) === 'read-only' ? 'read-only' : undefined;
  };
  return new StorageHealth({ look, oldestUnstoredMs, log: logger });
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
