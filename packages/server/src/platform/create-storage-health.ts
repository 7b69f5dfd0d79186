import { statfs } from 'node:fs/promises';
import type { Platform } from './create-platform.ts';
import { readDatabaseState } from './db/database-state.ts';
import { minFreeBytes, type StorageFault, StorageHealth } from './storage/storage-health.ts';

interface StorageDependencies {
  readonly platform: Platform;
  /** Free bytes on the disk of the SQLite file; from the operating system by default. */
  readonly freeBytes?: (() => Promise<number>) | undefined;
  readonly oldestUnstoredMs: () => number;
}

/** Monitors whether charges can be stored: free disk space for SQLite, and whether the database accepts writes. */
export function createStorageHealth({ platform, freeBytes, oldestUnstoredMs }: StorageDependencies): StorageHealth {
  const { dataDir, databaseUrl, relayDatabase, logger, lifecycle } = platform;
  const free = freeBytes ?? (() => freeBytesOf(dataDir));
  const look = async (): Promise<StorageFault | undefined> => {
    if (databaseUrl === undefined && (await free()) < minFreeBytes) return 'full';
    return (await readDatabaseState(relayDatabase)) === 'read-only' ? 'read-only' : undefined;
  };
  const storage = new StorageHealth({ look, oldestUnstoredMs, log: logger });
  lifecycle.add({ name: 'storage health', start: () => storage.start(), stop: () => storage.close() });
  return storage;
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
