import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StartFailure } from '../../platform/errors/start-failure.ts';

const run = promisify(execFile);

/** Dumps a consistent snapshot with pg_dump and reads the dump's table of contents. */
export async function dumpPostgres(url: string, folder: string): Promise<string> {
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
