import { once } from 'node:events';
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { CheckpointNews } from './wal-checkpoint-thread.ts';

interface WalCheckpointsOptions {
  readonly path: string;
  /** Runs something while no statement runs on the connection of the server; statements wait for it without blocking. */
  readonly hold: (act: () => Promise<void>) => Promise<void>;
  /** How long the log gets before it is copied; 16 MB unless told otherwise. */
  readonly mostPages?: number;
}

const usualMostPages = 4000;
const lookEveryMs = 1000;

/**
 * Where the server's own connection begins to checkpoint after all, on the main thread: 256 MB of log. Reached only when the
 * thread cannot run.
 */
export const ownCheckpointPages = 64_000;

/**
 * Checkpoints of SQLite's write-ahead log in a thread. They wait for the disk, which may take seconds: on the main thread that would
 * stop every stream.
 */
export class WalCheckpoints {
  readonly #options: WalCheckpointsOptions;
  readonly #mostPages: number;
  /** Only asks how long the log is. */
  readonly #watching: DatabaseSync;
  /** Which file was opened. */
  readonly #file: string;
  #nextAt: number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(options: WalCheckpointsOptions) {
    this.#options = options;
    this.#mostPages = options.mostPages ?? usualMostPages;
    this.#nextAt = this.#mostPages;
    this.#watching = new DatabaseSync(options.path, { readOnly: true });
    this.#file = fileAt(options.path);
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), lookEveryMs).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
    this.#watching.close();
  }

  /** Pages in the log that are not overwritten yet. */
  get pages(): number {
    return Number(this.#watching.prepare('pragma wal_checkpoint(noop)').get()?.['log'] ?? 0);
  }

  /** Makes a checkpoint when the log is long enough. Never rejects: a disk that fails now may work the next time. */
  look(): Promise<void> {
    this.#running ??= this.#checkpointIfDue()
      .catch(() => undefined)
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  async #checkpointIfDue(): Promise<void> {
    // Opening another file by this path would drop the log, or copy it into a database that it does not belong to.
    if (fileAt(this.#options.path) !== this.#file || this.pages < this.#nextAt) return;
    await this.#checkpoint().catch(() => undefined);
    // What a long read or a full disk keeps in the log is tried again when the log has grown as much again.
    const left = this.pages;
    this.#nextAt = this.#mostPages + (left < this.#mostPages ? 0 : left);
  }

  async #checkpoint(): Promise<void> {
    const bareProcess = { env: {}, execArgv: [], argv: [] };
    const thread = new Worker(new URL('./wal-checkpoint-thread.ts', import.meta.url), {
      ...bareProcess,
      name: 'checkpoint',
      workerData: { path: this.#options.path },
    });
    const ended = once(thread, 'exit').catch(() => undefined);
    await once(thread, 'message');
    await this.#options.hold(async () => {
      const done = Promise.race([once(thread, 'message') as Promise<[CheckpointNews]>, ended]);
      thread.postMessage('begin');
      await done;
    });
    await ended;
  }
}

/** Identity of a file, which stays when its contents change. */
function fileAt(path: string): string {
  const { dev, ino } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return `${dev} ${ino}`;
}
