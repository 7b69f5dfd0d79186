import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { type ChannelAddress, DoctorRepository } from './doctor-repository.ts';

/** A node with a larger clock drift still serves requests, but its limits and budgets follow its own clock. */
const noticedSeconds = 1;
const wrongSeconds = 30;

interface DatabaseFindings {
  readonly findings: readonly Finding[];
  /** Undefined when unknown. */
  readonly channels: readonly ChannelAddress[] | undefined;
}

/** Checks the database, its schema and clock, and whether the key decrypts its secrets. */
export async function checkDatabase(config: Config): Promise<DatabaseFindings> {
  const key = checkKey(config);
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'headgate.db'))) {
    return { findings: [ok('database', 'SQLite; created at the first start'), ...key.findings], channels: [] };
  }
  try {
    const repository = await DoctorRepository.open(config);
    try {
      return await checkOpenDatabase(repository, key, config);
    } finally {
      await repository.close();
    }
  } catch (error) {
    const action = 'Start the database or fix DATABASE_URL. The gateway cannot run without it.';
    return { findings: [fail('database', messageOf(error), action), ...key.findings], channels: undefined };
  }
}

interface KeyFindings {
  readonly findings: readonly Finding[];
  /** False for a damaged or unreadable file. */
  readonly isUsable: boolean;
}

const createdLater = 'created at the first start';

async function checkOpenDatabase(
  repository: DoctorRepository,
  key: KeyFindings,
  config: Config,
): Promise<DatabaseFindings> {
  const { isEmpty, pending, mismatch } = await repository.schemaState();
  const ahead = await repository.secondsAhead();
  const clock = ahead === undefined ? [] : [clockFinding(ahead, 'PostgreSQL')];
  if (mismatch) {
    const action = `${mismatch.remedy.charAt(0).toUpperCase()}${mismatch.remedy.slice(1)}.`;
    const finding = fail('database', `The database ${mismatch.problem}.`, action);
    return { findings: [finding, ...clock, ...key.findings], channels: undefined };
  }
  const findings = isEmpty ? key.findings : await checkDecryption(repository, key, config);
  if (pending.length > 0) {
    const message = `Pending migrations: ${pending.join(', ')}.`;
    const action = 'Make a backup. The next start runs them.';
    return { findings: [warn('database', message, action), ...clock, ...findings], channels: undefined };
  }
  const database = ok('database', 'reachable, schema up to date');
  return { findings: [database, ...clock, ...findings], channels: await repository.enabledChannels() };
}

async function checkDecryption(
  repository: DoctorRepository,
  { findings, isUsable }: KeyFindings,
  config: Config,
): Promise<readonly Finding[]> {
  // A damaged file is already reported.
  if (!isUsable) return findings;
  const problem = await repository.secretKeyProblem(config);
  if (problem === undefined) return findings;
  const action = 'Use the same SECRET_KEY or secret.key as the other nodes, or as before.';
  return [...findings.filter(({ message }) => message !== createdLater), fail('secret key', problem, action)];
}

export function clockFinding(secondsAhead: number, whose: string): Finding {
  const off = Math.abs(secondsAhead);
  const message = `this machine is ${off.toFixed(1)} s ${secondsAhead > 0 ? 'behind' : 'ahead of'} ${whose}`;
  const action = 'Synchronize both clocks with NTP.';
  if (off >= wrongSeconds) return fail('clock', `${message}.`, action);
  return off >= noticedSeconds ? warn('clock', `${message}.`, action) : ok('clock', message);
}

function checkKey({ dataDir, secretKey }: Config): KeyFindings {
  const found = (finding: Finding): KeyFindings => ({ findings: [finding], isUsable: finding.state !== 'fail' });
  if (secretKey !== undefined) return found(ok('secret key', 'set by SECRET_KEY'));
  const path = join(dataDir, 'secret.key');
  if (!existsSync(path)) return found(ok('secret key', createdLater));
  try {
    const key = readFileSync(path, 'utf8').trim();
    if (key.length < 16) return found(fail('secret key', `${path} is damaged.`, 'Restore it from a backup.'));
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
      return found(warn('secret key', `Other users can read ${path}.`, `chmod 600 ${JSON.stringify(path)}`));
    return found(ok('secret key', `${path}, readable only by its owner`));
  } catch (error) {
    return found(fail('secret key', `${path} cannot be read (${errorReason(error)}).`, 'Give this user read access.'));
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The worst state determines the exit code; only `fail` prevents the gateway from serving. */
export type FindingState = 'ok' | 'warn' | 'fail';

/** A check with its result and fix. Contains no secrets and no terminal control characters. */
export interface Finding {
  readonly check: string;
  readonly state: FindingState;
  readonly message: string;
  readonly action?: string;
}

export const ok = (check: string, message: string): Finding => ({ check, state: 'ok', message });
export const warn = (check: string, message: string, action: string): Finding => ({
  check,
  state: 'warn',
  message,
  action,
});
export const fail = (check: string, message: string, action: string): Finding => ({
  check,
  state: 'fail',
  message,
  action,
});

/** System error code, or the message. */
export function errorReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error as NodeJS.ErrnoException).code ?? error.message;
}
