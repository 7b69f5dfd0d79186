import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';

/** The database with what belongs to it, charges saved at a shutdown, and the key: whatever else lies in the folder is not ours to change. */
const ours = /^(headgate\.db|secret\.key|unsettled-charges-)/;

/** Access for anybody but the owner. */
const others = 0o077;
/** A folder like /tmp, where everybody keeps something. */
const shared = 0o1000;
const folderMode = 0o700;
const fileMode = 0o600;

/** Windows has no such bits: there a folder's own list of rights says who may read it. */
const hasModes = process.platform !== 'win32';

/** Makes the folder where there is none, and keeps it and our files in it from everybody else, however they came to be. */
export function prepareDataFolder(folder: string): void {
  makeFolder(folder, folderMode);
  for (const path of openToOthers(folder)) {
    try {
      const { mode } = statSync(path);
      if ((mode & shared) === 0) chmodSync(path, mode & ~others);
    } catch {
      // Another's file, or a file system without modes: the start goes on, and says so, as of a shared folder.
    }
  }
}

/** The folder and those of our files that somebody else could read or write. */
export function openToOthers(folder: string): readonly string[] {
  if (!hasModes || !existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => ours.test(name));
  return [folder, ...files.map((name) => join(folder, name))].filter(isOpen);
}

const isOpen = (path: string): boolean => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & others) !== 0;

/** An empty file for its owner alone, where there is none. One that is there is not opened: closing it would end locks. */
export function makePrivateFile(path: string, text = ''): void {
  if (existsSync(path)) return;
  try {
    writeFileSync(path, text, { mode: fileMode, flag: 'wx' });
  } catch (error) {
    // Somebody else was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
