import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { type CanDecrypt, type ChannelAddress, DoctorRepository } from './doctor-repository.ts';
import { errorReason, type Finding, fail, ok, warn } from './finding.ts';

/** A node with a larger clock drift still serves, but its limits and budgets follow its own clock. */
const noticedSeconds = 1;
const wrongSeconds = 30;

export interface DatabaseFindings {
  readonly findings: readonly Finding[];
  /** Undefined when unknown. */
  readonly channels: readonly ChannelAddress[] | undefined;
}

/** Checks the database, its schema and clock, and whether the key decrypts its secrets. */
export async function checkDatabase(config: Config, opens: CanDecrypt): Promise<DatabaseFindings> {
  const key = checkKey(config);
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'headgate.db'))) {
    return { findings: [ok('database', 'SQLite; created at the first start'), ...key.findings], channels: [] };
  }
  try {
    const repository = await DoctorRepository.open(config, opens);
    try {
      return await checkOpenDatabase(repository, key);
    } finally {
      await repository.close();
    }
  } catch (error) {
    const todo = 'Start the database or fix DATABASE_URL. The gateway cannot run without it.';
    return { findings: [fail('database', messageOf(error), todo), ...key.findings], channels: undefined };
  }
}

interface KeyFindings {
  readonly findings: readonly Finding[];
  readonly key: string | undefined;
}

async function checkOpenDatabase(
  repository: DoctorRepository,
  { findings, key }: KeyFindings,
): Promise<DatabaseFindings> {
  const { pending, mismatch } = await repository.schemaState();
  const ahead = await repository.secondsAhead();
  const clock = ahead === undefined ? [] : [clockFinding(ahead, 'PostgreSQL')];
  if (mismatch) {
    const todo = `${mismatch.remedy.charAt(0).toUpperCase()}${mismatch.remedy.slice(1)}.`;
    const finding = fail('database', `The database ${mismatch.problem}.`, todo);
    return { findings: [finding, ...clock, ...findings], channels: undefined };
  }
  if (pending.length > 0) {
    const says = `Pending migrations: ${pending.join(', ')}.`;
    const todo = 'Make a backup. The next start runs them.';
    return { findings: [warn('database', says, todo), ...clock, ...findings], channels: undefined };
  }
  const opens = key === undefined ? [] : await checkDecryption(repository, key);
  const database = ok('database', 'reachable, schema up to date');
  return { findings: [database, ...clock, ...findings, ...opens], channels: await repository.enabledChannels() };
}

async function checkDecryption(repository: DoctorRepository, key: string): Promise<readonly Finding[]> {
  if (await repository.opensWith(key)) return [];
  const says = 'It is not the key that encrypted the secrets in this database.';
  return [fail('secret key', says, 'Use the same SECRET_KEY or secret.key as the other nodes, or as before.')];
}

export function clockFinding(secondsAhead: number, whose: string): Finding {
  const off = Math.abs(secondsAhead);
  const says = `this machine is ${off.toFixed(1)} s ${secondsAhead > 0 ? 'behind' : 'ahead of'} ${whose}`;
  const todo = 'Synchronize both clocks with NTP.';
  if (off >= wrongSeconds) return fail('clock', `${says}.`, todo);
  return off >= noticedSeconds ? warn('clock', `${says}.`, todo) : ok('clock', says);
}

function checkKey({ dataDir, secretKey }: Config): KeyFindings {
  const found = (finding: Finding, key?: string): KeyFindings => ({ findings: [finding], key });
  if (secretKey !== undefined) return found(ok('secret key', 'set by SECRET_KEY'), secretKey);
  const path = join(dataDir, 'secret.key');
  if (!existsSync(path)) return found(ok('secret key', 'created at the first start'));
  try {
    const key = readFileSync(path, 'utf8').trim();
    if (key.length < 16) return found(fail('secret key', `${path} is damaged.`, 'Restore it from a backup.'));
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
      return found(warn('secret key', `Other users can read ${path}.`, `chmod 600 ${JSON.stringify(path)}`), key);
    return found(ok('secret key', `${path}, readable only by its owner`), key);
  } catch (error) {
    return found(fail('secret key', `${path} cannot be read (${errorReason(error)}).`, 'Give this user read access.'));
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
