import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../packages/server/src/testing/temporary-folder.ts';
import { findFreePort } from '../free-port.ts';
import { ensurePostgresBinaries } from './postgres-binaries.ts';

interface RunningPostgres {
  /** A superuser's address; tests make databases of their own in it. */
  readonly url: string;
  stop(): void;
}

/** One that its owner may do anything to. */
export interface OwnPostgres extends RunningPostgres {
  /** Where all of it is; its data are in `data`. */
  readonly folder: string;
  /** Ends it in order, or as a crash does. */
  halt(mode: 'fast' | 'immediate'): void;
  start(): void;
  /** Runs a program of PostgreSQL as the owner of the folder. */
  run(program: string, ...parameters: string[]): void;
}

/** The server named by TEST_DATABASE_URL, or a throw-away one on a loopback port, faster and unsafe for real data. */
export async function startPostgres(): Promise<RunningPostgres> {
  const given = process.env['TEST_DATABASE_URL'];
  return given !== undefined && given !== '' ? { url: given, stop: () => undefined } : startOwnPostgres();
}

/** The same with every commit on the disk before it is confirmed, as in earnest. */
export async function startDurablePostgres(): Promise<RunningPostgres> {
  const given = process.env['TEST_DATABASE_URL'];
  return given !== undefined && given !== '' ? startPostgres() : startOwnPostgres(undefined, {});
}

/** How long a start or an end may take on a machine that is busy. */
const patienceSeconds = '300';

/** In a folder that is given it stays, and is started again the next time. */
export async function startOwnPostgres(keptIn?: string, haste: Haste = unsafeHaste): Promise<OwnPostgres> {
  const binaries = ensurePostgresBinaries();
  const owner = unprivilegedOwner();
  const folder = keptIn ?? makeFolder(haste);
  const remove = () => keptIn ?? rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const run = (program: string, ...parameters: string[]) =>
    runProgram(join(binaries, program), parameters, folder, owner);
  const port = await findFreePort();
  const data = join(folder, 'data');
  const control = (...words: string[]) => run('pg_ctl', '-D', data, '-w', '-t', patienceSeconds, ...words);
  const halt = (mode: 'fast' | 'immediate') => control('-m', mode, 'stop');
  const start = () => control('-l', join(folder, 'server.log'), '-o', options(port, folder, haste), 'start');
  let isStopped = false;
  const stop = () => {
    if (isStopped) return;
    isStopped = true;
    try {
      if (existsSync(join(data, 'postmaster.pid'))) halt(keptIn === undefined ? 'immediate' : 'fast');
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
  // A test run that breaks off must not leave a server behind.
  process.once('exit', stop);
  return { url: urlAt(port), stop, folder, halt, start, run };
}

/** A superuser's address of the server at this port. */
export const urlAt = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`;

/** Settings that say how much is risked for the sake of speed. */
export type Haste = Readonly<Record<string, string>>;

/** For tests, whose data is thrown away. */
const unsafeHaste: Haste = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** In memory where commits need not reach the disk. */
const makeFolder = ({ fsync }: Haste): string =>
  fsync === 'off' ? makeTemporaryFolder(folderPrefix) : mkdtempSync(join(tmpdir(), folderPrefix));
const folderPrefix = 'headgate-postgres-';

/** The settings of a server, as its options. */
export function options(port: number, folder: string, haste: Haste): string {
  const values = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    // Files run side by side, each with several nodes: the slower they are, the more of their connections are open at once.
    max_connections: 400,
    ...haste,
  };
  return [`-p ${port}`, ...Object.entries(values).map(([name, value]) => `-c ${name}=${value}`)].join(' ');
}

function runProgram(program: string, parameters: string[], folder: string, owner: object | undefined): void {
  // To a file: the server inherits the output from pg_ctl, and a pipe would stay open as long as the server lives.
  const log = join(folder, 'programs.log');
  const output = openSync(log, 'a');
  const { status, error } = spawnSync(program, parameters, {
    ...owner,
    cwd: folder,
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  if (status === 0) return;
  const logs = ['programs.log', 'server.log'].map((name) => lastWords(join(folder, name)));
  throw new Error(`${program} failed (${error?.message ?? `exit ${status}`}).\n${logs.join('')}`);
}

/** PostgreSQL refuses to run as root, so root runs it as the user its package made. */
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

function lastWords(log: string): string {
  return existsSync(log) ? readFileSync(log, 'utf8').slice(-2000) : '';
}
