import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartFailure } from '../errors/start-failure.ts';
import { makePrivateFile } from '../storage/data-folder.ts';

/** A process that is being replaced may take a little longer to exit. */
const defaultTimeoutMs = 5000;
const lookAgainMs = 50;
const busy = 5;

/** Another process uses the database file. */
export class DatabaseInUse extends StartFailure {}

type Obstacle = 'another process' | 'a new lock';

/**
 * Ensures that only one process serves from a SQLite file: balances are cached, so a second process would spend them
 * again. It uses an operating system lock, which is released however the process ends. The lock is on a separate file,
 * so that programs that only read the database or set a password are not locked out. A lock file that is not from the
 * last start may have replaced one that was deleted while its process still runs; in that case no other program may
 * have the database open.
 */
export class ProcessLock {
  readonly #lockFile: DatabaseSync;

  private constructor(lockFile: DatabaseSync) {
    this.#lockFile = lockFile;
  }

  static async take(databaseFile: string, patienceMs = defaultTimeoutMs): Promise<ProcessLock> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const lockFile = holdIfFree(databaseFile);
      if (typeof lockFile !== 'string') return new ProcessLock(lockFile);
      if (performance.now() >= deadline) throw new DatabaseInUse(obstacleMessages[lockFile](databaseFile));
      await sleep(lookAgainMs);
    }
  }

  release(): void {
    this.#lockFile.close();
  }
}

const obstacleMessages: Readonly<Record<Obstacle, (databaseFile: string) => string>> = {
  'another process': (file) =>
    `Another Headgate process uses the database file ${file}; stop it first, or set DATA_DIR to another folder.`,
  'a new lock': (file) =>
    `Another program has the database file ${file} open, and the lock file ${file}.lock is new. It may be another Headgate process: stop it first.`,
};

function holdIfFree(databaseFile: string): DatabaseSync | Obstacle {
  const path = `${databaseFile}.lock`;
  let file: DatabaseSync | undefined;
  try {
    makePrivateFile(path);
    file = new DatabaseSync(path, { timeout: 0 });
    // Held until the file is closed, even after its mark is written.
    file.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive');
    const mark = markOf(path);
    const { user_version: found } = file.prepare('pragma user_version').get() ?? {};
    if (found !== mark) {
      if (isOpenElsewhere(databaseFile)) {
        file.close();
        return 'a new lock';
      }
      file.exec(`pragma user_version = ${mark}`);
    }
    file.exec('commit');
    return file;
  } catch (error) {
    file?.close();
    const { errcode, message } = error as { errcode?: number; message: string };
    if (errcode === busy) return 'another process';
    throw new StartFailure(`The lock file ${path} cannot be locked (${message}).`);
  }
}

/** Derived from the inode: a replacement or copy gets a different inode while a process has the original open. */
function markOf(path: string): number {
  const { ino } = statSync(path, { bigint: true });
  return Number(ino % 0x7fff_fffen) + 1;
}

/** A program that has the database open holds a lock in the file itself, which survives deletion of the lock file. */
function isOpenElsewhere(databaseFile: string): boolean {
  if (!existsSync(databaseFile)) return false;
  const file = new DatabaseSync(databaseFile, { timeout: 0 });
  try {
    file.exec('pragma locking_mode = exclusive; begin immediate; commit');
    return false;
  } catch (error) {
    // Other problems are reported when the file is opened for use.
    return (error as { errcode?: number }).errcode === busy;
  } finally {
    file.close();
  }
}
