import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../packages/server/src/testing/temporary-folder.ts';
import { findFreePort } from '../free-port.ts';
import { ensurePostgresBinaries } from './postgres-binaries.ts';

interface RunningPostgres {
  /** Superuser URL; tests create databases in it. */
  readonly url: string;
  stop(): void;
}

/** A PostgreSQL server that a test controls fully. */
export interface OwnPostgres extends RunningPostgres {
  /** Folder of the server; the data is in `data`. */
  readonly folder: string;
  /** Stops the server cleanly, or like a crash. */
  halt(mode: 'fast' | 'immediate'): void;
  start(): void;
  /** Runs a PostgreSQL program as the owner of the folder. */
  run(program: string, ...parameters: string[]): void;
}

/** The server in TEST_DATABASE_URL, or a temporary one on a loopback port, fast and unsafe for real data. */
export async function startPostgres(): Promise<RunningPostgres> {
  const given = process.env['TEST_DATABASE_URL'];
  return given !== undefined && given !== '' ? { url: given, stop: () => undefined } : startOwnPostgres();
}

/** Like `startPostgres`, but with durable commits, as in production. */
export async function startDurablePostgres(): Promise<RunningPostgres> {
  const given = process.env['TEST_DATABASE_URL'];
  return given !== undefined && given !== '' ? startPostgres() : startOwnPostgres(undefined, {});
}

/** Maximum time to start or stop on a busy machine. */
const timeoutSeconds = '300';

/** A given folder is kept and used again by the next start. */
export async function startOwnPostgres(
  givenFolder?: string,
  speedSettings: SpeedSettings = unsafeSettings,
): Promise<OwnPostgres> {
  const binaries = ensurePostgresBinaries();
  const owner = unprivilegedOwner();
  const folder = givenFolder ?? makeFolder(speedSettings);
  const remove = () => givenFolder ?? rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const run = (program: string, ...parameters: string[]) =>
    runProgram(join(binaries, program), parameters, folder, owner);
  const port = await findFreePort();
  const data = join(folder, 'data');
  const control = (...words: string[]) => run('pg_ctl', '-D', data, '-w', '-t', timeoutSeconds, ...words);
  const halt = (mode: 'fast' | 'immediate') => control('-m', mode, 'stop');
  const start = () =>
    control('-l', join(folder, 'server.log'), '-o', postgresOptions(port, folder, speedSettings), 'start');
  let isStopped = false;
  const stop = () => {
    if (isStopped) return;
    isStopped = true;
    try {
      if (existsSync(join(data, 'postmaster.pid'))) halt(givenFolder === undefined ? 'immediate' : 'fast');
    } finally {
      remove();
    }
  };
  try {
    if (!existsSync(data))
      run('initdb', '-D', data, '-A', 'trust', '-U', 'postgres', '--encoding=UTF8', '--no-locale', '--no-sync');
    start();
  } catch (error) {
    remove();
    throw error;
  }
  // An aborted test run must not leave a server behind.
  process.once('exit', stop);
  return { url: urlAt(port), stop, folder, halt, start, run };
}

/** Superuser URL of the server at this port. */
export const urlAt = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`;

/** Settings that trade durability for speed. */
export type SpeedSettings = Readonly<Record<string, string>>;

/** For tests, whose data is discarded. */
const unsafeSettings: SpeedSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Takes longer than the queries of tests, and is missing in some builds.
  jit: 'off',
  // Databases of tests are too short-lived to need it.
  autovacuum: 'off',
};

/** Located in memory if commits need not be durable. */
const makeFolder = ({ fsync }: SpeedSettings): string =>
  fsync === 'off' ? makeTemporaryFolder(folderPrefix) : mkdtempSync(join(tmpdir(), folderPrefix));
const folderPrefix = 'headgate-postgres-';

/** Command line options for a server's settings. */
export function postgresOptions(port: number, folder: string, speedSettings: SpeedSettings): string {
  const values = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    // Test files run in parallel, each with several nodes: the slower they are, the more connections are open.
    max_connections: 400,
    ...speedSettings,
  };
  return [`-p ${port}`, ...Object.entries(values).map(([name, value]) => `-c ${name}=${value}`)].join(' ');
}

function runProgram(program: string, parameters: string[], folder: string, owner: object | undefined): void {
  // A file, because the server inherits the output of pg_ctl and a pipe would stay open as long as the server runs.
  const log = join(folder, 'programs.log');
  const output = openSync(log, 'a');
  const { status, error } = spawnSync(program, parameters, {
    ...owner,
    cwd: folder,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  if (status === 0) return;
  const logs = ['programs.log', 'server.log'].map((name) => lastLogLines(join(folder, name)));
  throw new Error(`${program} failed (${error?.message ?? `exit ${status}`}).\n${logs.join('')}`);
}

/** PostgreSQL refuses to run as root, so root runs it as the user that its package created. */
function unprivilegedOwner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  try {
    return { uid: idOf('-u'), gid: idOf('-g') };
  } catch {
    throw new Error(
      'PostgreSQL does not run as root and there is no user "postgres": add one or set TEST_DATABASE_URL.',
    );
  }
}

function lastLogLines(log: string): string {
  return existsSync(log) ? readFileSync(log, 'utf8').slice(-2000) : '';
}
