import { accessSync, constants, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux in-memory file system. */
const memoryFolder = '/dev/shm';
/** Containers may have only 64 MB there. */
const minFreeBytes = 4 * 1024 ** 3;

/**
 * New temporary folder, in memory if there is room, because writing test databases to disk takes most of their time.
 */
export const makeTemporaryFolder = (prefix: string): string =>
  mkdtempSync(join(hasMemoryFolder() ? memoryFolder : tmpdir(), prefix));

function hasMemoryFolder(): boolean {
  try {
    accessSync(memoryFolder, constants.W_OK);
    const { bavail, bsize } = statfsSync(memoryFolder);
    return bavail * bsize >= minFreeBytes;
  } catch {
    return false;
  }
}
