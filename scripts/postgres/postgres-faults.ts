import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../free-port.ts';
import { type OwnPostgres, postgresOptions, type SpeedSettings, urlAt } from './start-postgres.ts';

/** Faults that a test can cause in its PostgreSQL; each returns what the test needs. */
export type PostgresFault = keyof ReturnType<typeof postgresFaults>;

/** `speedSettings`: settings that the server was started with. */
export function postgresFaults(postgres: OwnPostgres, speedSettings: SpeedSettings) {
  const { folder, halt, start, run } = postgres;
  const data = join(folder, 'data');
  const kept = join(folder, 'kept');
  const standby = join(folder, 'standby');
  return {
    /** Takes a snapshot of the current state; connections break. */
    keep: () => {
      halt('fast');
      replaceFolder(data, kept);
      start();
    },
    /** Crashes and loses everything since the snapshot. */
    lose: () => {
      halt('immediate');
      replaceFolder(kept, data);
      start();
    },
    stop: () => halt('fast'),
    crash: () => halt('immediate'),
    start,
    /** Stops all server processes (SIGSTOP). */
    freeze: () => signalAll(data, 'SIGSTOP'),
    thaw: () => signalAll(data, 'SIGCONT'),
    /** Creates a copy with everything committed so far and nothing later; returns its location. */
    copy: async () => {
      const port = await findFreePort();
      run('pg_basebackup', '-d', postgres.url, '-D', standby, '-c', 'fast', '--no-sync', '-X', 'stream');
      writeFileSync(join(standby, 'standby.signal'), '');
      const log = join(folder, 'standby.log');
      run('pg_ctl', '-D', standby, '-l', log, '-o', postgresOptions(port, folder, speedSettings), '-w', 'start');
      process.once('exit', () => run('pg_ctl', '-D', standby, '-m', 'immediate', '-w', 'stop'));
      return urlAt(port);
    },
    /** Crashes the server permanently; its copy takes over. */
    failOver: () => {
      halt('immediate');
      run('pg_ctl', '-D', standby, '-w', 'promote');
    },
  } as const;
}

function replaceFolder(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  // Keeps owner and modes, which PostgreSQL checks.
  execFileSync('cp', ['-a', from, to]);
}

/** Signals the server of this data folder; the main process first, so that it starts no more processes. */
function signalAll(data: string, signal: NodeJS.Signals): void {
  const [first = ''] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(first), signal);
  const children = readFileSync(`/proc/${first}/task/${first}/children`, 'utf8').trim().split(' ');
  for (const child of children) {
    try {
      process.kill(Number(child), signal);
    } catch {
      // The process has ended in the meantime.
    }
  }
}
