import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Config } from '../config.ts';
import { commandLine } from '../platform/errors/command-line.ts';
import { StartFailure } from '../platform/errors/start-failure.ts';
import { createFolder, folderError } from '../platform/storage/create-folder.ts';
import { databaseFile } from '../platform/storage/database-file.ts';
import { checkStoredLedger } from '../records/ledger/stored-ledger-repository.ts';
import { rejectExisting, renameDurably, temporaryPath } from './archive/archive-file.ts';
import { checkCopy, copySqlite } from './archive/sqlite-copy-repository.ts';

const run = promisify(execFile);

/** Dumps a consistent snapshot with pg_dump and reads the dump's table of contents. */
async function dumpPostgres(url: string, folder: string): Promise<string> {
  const file = join(folder, 'headgate.dump');
  const { shown, given } = addressOf(url, folder);
  const words = ['--format=custom', '--no-owner', '--no-privileges', `--file=${file}`, `--dbname=${given}`];
  try {
    await run('pg_dump', words);
    await run('pg_restore', ['--list', file], { maxBuffer: 64 * 1024 * 1024 });
    return file;
  } catch (error) {
    const { code, stderr = '' } = error as { readonly code?: unknown; readonly stderr?: string };
    if (code !== 'ENOENT') throw new StartFailure(`pg_dump failed: ${stderr.trim().split('\n')[0] ?? String(error)}`);
    throw new StartFailure(
      `pg_dump is not installed. Run it on another machine: pg_dump --format=custom --no-owner --file=headgate.dump '${shown}'`,
    );
  }
}

/** Command lines are visible to all users of the machine, so the password is passed in a file. */
function addressOf(url: string, folder: string): { readonly shown: string; readonly given: string } {
  const address = new URL(url);
  const password = decodeURIComponent(address.password) || (address.searchParams.get('password') ?? '');
  address.password = '';
  address.searchParams.delete('password');
  const shown = address.href;
  if (password === '') return { shown, given: shown };
  const file = join(folder, 'pgpass');
  writeFileSync(file, `*:*:*:*:${password.replace(/[\\:]/g, '\\$&')}\n`, { mode: 0o600 });
  address.searchParams.set('passfile', file);
  return { shown, given: address.href };
}

export interface BackupCommand {
  /** Parent folder; each backup gets its own folder in it. */
  readonly to: string;
  readonly now: Date;
  readonly print: (line: string) => void;
}

type BackupSource = Pick<Config, 'dataDir' | 'databaseUrl' | 'secretKey'>;

/** Creates and verifies a consistent backup while servers run. Throws StartFailure. */
export async function runBackup({ to, now, print }: BackupCommand, source: BackupSource): Promise<void> {
  const folder = join(to, `headgate-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`);
  rejectExisting(folder);
  const partial = temporaryPath(folder);
  makePartial(partial);
  try {
    for (const line of await copyInto(partial, source)) print(line);
    rmSync(join(partial, 'pgpass'), { force: true });
    rejectExisting(folder);
    renameDurably(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  print(`Backup written to ${folder}.`);
  const key = source.secretKey === undefined ? join(source.dataDir, 'secret.key') : 'SECRET_KEY';
  print(
    `It does not contain the secret key. Keep ${key} in a safe place: without it, the keys of channels and tokens cannot be decrypted.`,
  );
}

function makePartial(path: string): void {
  try {
    createFolder(path, 0o700);
  } catch (error) {
    throw new StartFailure(`${path} cannot be created (${folderError(error)}).`);
  }
}

/** Returns the lines to print. */
async function copyInto(folder: string, source: BackupSource): Promise<string[]> {
  if (source.databaseUrl !== undefined) {
    await dumpPostgres(source.databaseUrl, folder);
    return ['Written by pg_dump and readable by pg_restore.'];
  }
  const copy = databaseFile(folder);
  await copySqlite(databaseFile(source.dataDir), copy);
  checkCopy(copy);
  const { users, drift, log_drift, budget_drift } = await checkStoredLedger(source, copy);
  const isBalanced = drift === 0 && log_drift === 0 && budget_drift === 0;
  return [
    'The copy is intact.',
    isBalanced ? `Ledger balanced: ${users} users.` : `Ledger not balanced. Run ${commandLine('audit')} for details.`,
  ];
}
