import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePrivateFile } from '../data-folder.ts';
import { StartFailure } from '../start-failure.ts';

/** A process that is being replaced may need a moment to end. */
const usualPatienceMs = 5000;
const lookAgainMs = 50;
const busy = 5;

/**
 * Says that one process serves from a SQLite file: balances are kept in its memory, so a second one would spend them
 * again. It is a lock of the operating system, which frees it however the process ends, on an empty file of its own:
 * programs that only look at the database, or change a password in it, are not kept out.
 */
export class ProcessLock {
  readonly #held: DatabaseSync;

  private constructor(held: DatabaseSync) {
    this.#held = held;
  }

  static async take(databaseFile: string, patienceMs = usualPatienceMs): Promise<ProcessLock> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const held = holdIfFree(`${databaseFile}.lock`);
      if (held) return new ProcessLock(held);
      if (performance.now() >= deadline) break;
      await sleep(lookAgainMs);
    }
    throw new StartFailure(
      `Another Headgate process uses the database file ${databaseFile}; stop it first, or set DATA_DIR to another folder.`,
    );
  }

  release(): void {
    this.#held.close();
  }
}

/** Undefined while another has it. */
function holdIfFree(path: string): DatabaseSync | undefined {
  let file: DatabaseSync | undefined;
  try {
    makePrivateFile(path);
    file = new DatabaseSync(path, { timeout: 0 });
    // Nothing is ever written to it, so nothing need be undone.
    file.exec('pragma journal_mode = memory; begin exclusive');
    return file;
  } catch (error) {
    file?.close();
    const { errcode, message } = error as { errcode?: number; message: string };
    if (errcode === busy) return undefined;
    throw new StartFailure(`The lock ${path} cannot be held (${message}).`);
  }
}
