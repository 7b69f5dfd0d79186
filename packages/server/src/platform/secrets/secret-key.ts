import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartFailure } from '../errors/start-failure.ts';
import { folderError } from '../storage/create-folder.ts';
import { makePrivateFile, prepareDataFolder } from '../storage/data-folder.ts';

const shortestKey = 16;

/**
 * The configured key, or one generated at the first start and stored in the data directory, readable only by its
 * owner.
 */
export function loadSecretKey(dataDir: string, configured: string | undefined): string {
  if (configured !== undefined) return configured;
  const path = join(dataDir, 'secret.key');
  const key = readOrMake(dataDir, path);
  // A full disk at the first start may leave an empty file.
  if (key.length >= shortestKey) return key;
  throw new StartFailure(`The secret key ${path} is damaged; restore it, or set SECRET_KEY to its previous value.`);
}

/** The key in the data directory, if there is one. Does not create it. */
export const existingSecretKey = (dataDir: string): string | undefined =>
  existsSync(join(dataDir, 'secret.key')) ? loadSecretKey(dataDir, undefined) : undefined;

function readOrMake(dataDir: string, path: string): string {
  try {
    prepareDataFolder(dataDir);
    makePrivateFile(path, randomBytes(32).toString('base64url'));
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new StartFailure(
      `The secret key ${path} cannot be read or created (${folderError(error)}); set SECRET_KEY or fix DATA_DIR.`,
    );
  }
}
