import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from './create-folder.ts';

/**
 * The database with its companion files, charges saved at shutdown, and the key. Other files in the folder are not
 * touched.
 */
const ours = /^(headgate\.db|secret\.key|unsettled-charges-)/;

/** Permission bits for the group and other users. */
const others = 0o077;
/** Sticky bit of a shared folder such as /tmp. */
const shared = 0o1000;
const folderMode = 0o700;
const fileMode = 0o600;

/** Windows uses access control lists instead of modes. */
const hasModes = process.platform !== 'win32';

/** Creates the folder if necessary and removes other users' access to it and to our files. */
export function prepareDataFolder(folder: string): void {
  createFolder(folder, folderMode);
  for (const path of pathsAccessibleToOthers(folder)) {
    try {
      const { mode } = statSync(path);
      if ((mode & shared) === 0) chmodSync(path, mode & ~others);
    } catch {
      // A file owned by another user, or a file system without modes: the start continues with a warning, as for a
      // shared folder.
    }
  }
}

/** The data folder and its files that other users can read or write. */
export function pathsAccessibleToOthers(folder: string): readonly string[] {
  if (!hasModes || !existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => ours.test(name));
  return [folder, ...files.map((name) => join(folder, name))].filter(isOpen);
}

const isOpen = (path: string): boolean => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & others) !== 0;

/**
 * Creates an empty file that only its owner can access, if it does not exist. An existing file is not opened, because
 * closing it would release locks.
 */
export function makePrivateFile(path: string, text = ''): void {
  if (existsSync(path)) return;
  try {
    writeFileSync(path, text, { mode: fileMode, flag: 'wx' });
  } catch (error) {
    // Another process has created the file first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
