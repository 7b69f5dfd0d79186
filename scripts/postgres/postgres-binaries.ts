import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installDebianPackage } from '../debian-package.ts';

const debianFolder = '/usr/lib/postgresql';

/** Folder of initdb and pg_ctl; installs PostgreSQL where possible. */
export function ensurePostgresBinaries(): string {
  const found = findPostgresBinaries();
  if (found !== undefined) return found;
  installDebianPackage('postgresql');
  const installed = findPostgresBinaries();
  if (installed !== undefined) return installed;
  throw new Error(
    'The tests need PostgreSQL 15 or later: install it (Debian: apt-get install postgresql; macOS: brew install ' +
      'postgresql) or set TEST_DATABASE_URL to a server where they may create databases.',
  );
}

function findPostgresBinaries(): string | undefined {
  const folders = [...debianFolders(), ...(process.env['PATH'] ?? '').split(delimiter)];
  return folders.find(
    (folder) => folder !== '' && ['initdb', 'pg_ctl'].every((name) => existsSync(join(folder, name))),
  );
}

function debianFolders(): string[] {
  if (!existsSync(debianFolder)) return [];
  const newestFirst = readdirSync(debianFolder).sort((one, other) => Number(other) - Number(one));
  return newestFirst.map((version) => join(debianFolder, version, 'bin'));
}
