import { statfs } from 'node:fs/promises';
import { stateOfDatabase } from '../platform/db/database-state.ts';
import { leastFreeBytes } from '../platform/storage/least-free-bytes.ts';
import type { StorageFault } from '../platform/storage/storage-fault.ts';
import { StorageHealth } from '../platform/storage/storage-health.ts';
import type { AppContext } from './app-dependencies.ts';
import type { CoreServices } from './core-services.ts';

/** Watches whether charges can be stored: the disk of a SQLite file, and whether the database may be written to. */
export function watchStorage(
  { config, logger, lifecycle, freeBytes = () => freeBytesOf(config.dataDir) }: AppContext,
  { relayDatabase }: CoreServices,
  oldestUnstoredMs: () => number,
): StorageHealth {
  const look = async (): Promise<StorageFault | undefined> => {
    if (config.databaseUrl === undefined && (await freeBytes()) < leastFreeBytes) return 'full';
    return (await stateOfDatabase(relayDatabase)) === 'read-only' ? 'read-only' : undefined;
  };
  const storage = new StorageHealth({ look, oldestUnstoredMs, log: logger });
  lifecycle.add({ name: 'storage health', start: () => storage.start(), stop: () => storage.close() });
  return storage;
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
