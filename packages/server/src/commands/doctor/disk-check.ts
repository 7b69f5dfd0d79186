import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pathsAccessibleToOthers } from '../../platform/storage/data-folder.ts';
import { minFreeBytes } from '../../platform/storage/storage-health.ts';
import { errorReason, type Finding, fail, ok, warn } from './database-check.ts';

const comfortableBytes = 1024 ** 3;
const slowMs = 20;
const writes = 20;
const page = Buffer.alloc(4096, 'headgate');

export function checkDisk(dataDir: string, isSqlite: boolean): readonly Finding[] {
  if (!existsSync(dataDir)) return [missingFolder(dataDir)];
  if (!statSync(dataDir).isDirectory())
    return [
      fail(
        'data folder',
        `${dataDir} is not a folder.`,
        'Set DATA_DIR to an existing folder or to one that can be created.',
      ),
    ];
  return [folder(dataDir), space(dataDir, isSqlite), speed(dataDir, isSqlite)];
}

function missingFolder(dataDir: string): Finding {
  let parent = dirname(dataDir);
  while (!existsSync(parent)) parent = dirname(parent);
  try {
    accessSync(parent, constants.W_OK);
    return ok('data folder', `${dataDir} does not exist yet; created at the first start`);
  } catch {
    return fail(
      'data folder',
      `${dataDir} cannot be created.`,
      `Give this user write access to ${parent}, or set DATA_DIR.`,
    );
  }
}

function folder(dataDir: string): Finding {
  try {
    const open = pathsAccessibleToOthers(dataDir);
    if (open.length === 0) return ok('data folder', `${dataDir}, accessible only by its owner`);
    const action = `chmod go-rwx ${open.map((path) => JSON.stringify(path)).join(' ')}`;
    return warn('data folder', 'Other users of this machine can access the stored data.', action);
  } catch (error) {
    return fail(
      'data folder',
      `${dataDir} cannot be read (${errorReason(error)}).`,
      'Run this command as the user of the gateway.',
    );
  }
}

function space(dataDir: string, isSqlite: boolean): Finding {
  const { bavail, bsize } = statfsSync(dataDir);
  return spaceFinding(bavail * bsize, isSqlite);
}

export function spaceFinding(freeBytes: number, isSqlite: boolean): Finding {
  const message = `${Math.floor(freeBytes / 1024 ** 2)} MB free on the data disk`;
  if (isSqlite && freeBytes < minFreeBytes)
    return fail('disk space', `${message}.`, 'Free up disk space: requests that cannot be stored are rejected.');
  if (freeBytes < comfortableBytes) return warn('disk space', `${message}.`, 'Free up disk space or delete old logs.');
  return ok('disk space', message);
}

/** Measures fsync latency, because every batch of charges waits for it. */
function speed(dataDir: string, isSqlite: boolean): Finding {
  const path = join(dataDir, `doctor-${process.pid}.tmp`);
  try {
    return speedFinding(medianOf(timesOf(path)), isSqlite);
  } catch (error) {
    return fail('disk speed', `Cannot write to ${dataDir} (${errorReason(error)}).`, 'Fix DATA_DIR.');
  } finally {
    rmSync(path, { force: true });
  }
}

export function speedFinding(milliseconds: number, isSqlite: boolean): Finding {
  const message = `a synced write takes ${milliseconds.toFixed(1)} ms`;
  if (!isSqlite || milliseconds <= slowMs) return ok('disk speed', message);
  return warn('disk speed', `${message}.`, 'Use a local disk: charges are stored before responses end.');
}

function timesOf(path: string): number[] {
  const file = openSync(path, 'wx', 0o600);
  try {
    return Array.from({ length: writes }, () => {
      const began = performance.now();
      writeSync(file, page);
      fsyncSync(file);
      return performance.now() - began;
    });
  } finally {
    closeSync(file);
  }
}

const medianOf = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
