import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents. Node's recursive mkdir loops forever if an existing parent reports ENOENT
 * for a new folder, as those of /proc do.
 */
export function createFolder(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (isFolder(path)) return;
    const parent = dirname(path);
    if (codeOf(error) !== 'ENOENT' || parent === path || existsSync(parent)) throw error;
    createFolder(parent, mode);
    makeLast(path, mode);
  }
}

/** Another process may create the folder first. */
function makeLast(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (!isFolder(path)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'a file with this name exists',
  ENOTDIR: 'a parent folder is a file',
  ENOENT: 'it cannot be created there',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  ELOOP: 'its symbolic links form a loop',
};

/** Reason why a folder cannot be created or written: the error code and its meaning. */
export function folderError(error: unknown): string {
  const code = codeOf(error);
  return Object.hasOwn(reasons, code) ? `${code}: ${reasons[code]}` : code;
}
