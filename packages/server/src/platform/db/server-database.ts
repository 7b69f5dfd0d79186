import { once } from 'node:events';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { type LogEvent, sql } from 'kysely';
import { resolvesWithin } from '../runtime/resolves-within.ts';
import { databaseFile } from '../storage/database-file.ts';
import {
  type Database,
  type DatabaseLocation,
  openChargeConnections,
  openDatabase,
  openForMigration,
  openRelayConnections,
  prepareWritableFolder,
} from './database.ts';
import { appliedMigrations, migrate } from './migrate.ts';
import { ProcessLock } from './process-lock.ts';
import type { CheckpointMessage } from './wal-checkpoint-thread.ts';

export type BeforeMigration = (database: Database, isEmpty: boolean) => Promise<void>;

interface ServingOptions {
  /** Called after every statement. */
  readonly onStatement?: ((event: LogEvent) => void) | undefined;
  /** How long another process on the same SQLite file may take to end. */
  readonly patienceMs?: number | undefined;
  /** Called once for each distinct error when a checkpoint cannot copy the write-ahead log into the SQLite file. */
  readonly onCheckpointError?: ((error: string) => void) | undefined;
  /** Rejects a database that must not be migrated. */
  readonly beforeMigration?: BeforeMigration | undefined;
}

/** Database of a server: migrated and, if it is a SQLite file, locked. */
export interface ServerDatabase {
  readonly database: Database;
  /** Connections for the relay; `database` if undefined. */
  readonly relayDatabase: Database | undefined;
  /** Connections for charges; `database` if undefined. */
  readonly chargeDatabase: Database | undefined;
  close(): Promise<void>;
}

export async function openServerDatabase(
  location: DatabaseLocation,
  options: ServingOptions = {},
): Promise<ServerDatabase> {
  const lock = location.databaseUrl === undefined ? await lockFile(location.dataDir, options.patienceMs) : undefined;
  /** Opened databases, in reverse order of opening. */
  const opened: Database[] = [];
  let checkpoints: WalCheckpoints | undefined;
  const close = async () => {
    // Must be first: the last connection to close truncates the log.
    await checkpoints?.close();
    for (const one of opened) await one.destroy();
    lock?.release();
  };
  const kept = <One extends Database | undefined>(one: One): One => {
    if (one) opened.unshift(one);
    return one;
  };
  try {
    const database = kept(await openDatabase(location, options.onStatement));
    await options.beforeMigration?.(database, (await appliedMigrations(database)).length === 0);
    await migrateOver(location.databaseUrl, database);
    if (location.databaseUrl === undefined) checkpoints = await startCheckpoints(location.dataDir, database, options);
    const relayDatabase = kept(await openRelayConnections(location, options.onStatement));
    const chargeDatabase = kept(await openChargeConnections(location, options.onStatement));
    return { database, relayDatabase, chargeDatabase, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startCheckpoints(
  dataDir: string,
  database: Database,
  { onCheckpointError }: ServingOptions,
): Promise<WalCheckpoints> {
  await sql`pragma wal_autocheckpoint = ${sql.lit(fallbackCheckpointPages)}`.execute(database);
  const checkpoints = new WalCheckpoints({
    path: databaseFile(dataDir),
    hold: (act) => database.connection().execute(act),
    onError: onCheckpointError,
  });
  checkpoints.start();
  return checkpoints;
}

/** Uses a separate connection without time limits. */
async function migrateOver(url: string | undefined, database: Database): Promise<void> {
  if (url === undefined) return migrate(database);
  const patient = await openForMigration(url);
  await migrate(patient).finally(() => patient.destroy());
}

/** Locks the real file, even if it is opened through a symbolic link. */
function lockFile(dataDir: string, patienceMs: number | undefined): Promise<ProcessLock> {
  prepareWritableFolder(dataDir);
  const file = databaseFile(dataDir);
  return ProcessLock.take(existsSync(file) ? realpathSync(file) : file, patienceMs);
}

export interface WalCheckpointOptions {
  readonly path: string;
  /** Runs an action while no statement runs on the server's connection; statements wait without blocking. */
  readonly hold: (act: () => Promise<void>) => Promise<void>;
  /** Log length in pages at which a checkpoint runs; 16 MB by default. */
  readonly maxPages?: number;
  /** Called once for each distinct error until a checkpoint succeeds. */
  readonly onError?: ((error: string) => void) | undefined;
  /** Script of the thread. */
  readonly thread?: URL;
  /** How long `close` waits for a running checkpoint; five seconds by default. */
  readonly closeWithinMs?: number;
}

const usualThread = new URL('./wal-checkpoint-thread.ts', import.meta.url);
const defaultMaxPages = 4000;
const usualCloseWithinMs = 5000;
const checkEveryMs = 1000;

/**
 * Log size, 256 MB, at which the server's own connection runs checkpoints on the main thread. Only reached if the
 * thread cannot run.
 */
export const fallbackCheckpointPages = 64_000;

/**
 * Checkpoints of SQLite's write-ahead log in a thread. They wait for the disk, possibly for seconds, which would
 * stall every stream on the main thread.
 */
export class WalCheckpoints {
  readonly #options: WalCheckpointOptions;
  readonly #maxPages: number;
  /** Only used to read the length of the log. */
  readonly #watching: DatabaseSync;
  /** Identity of the opened file. */
  readonly #file: string;
  #nextAt: number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** Errors since the last successful checkpoint. */
  readonly #reported = new Set<string>();
  /** Resolves when nothing waits for the thread any more. */
  readonly #abandoned = Promise.withResolvers<void>();

  constructor(options: WalCheckpointOptions) {
    this.#options = options;
    this.#maxPages = options.maxPages ?? defaultMaxPages;
    this.#nextAt = this.#maxPages;
    this.#watching = new DatabaseSync(options.path, { readOnly: true });
    this.#file = fileAt(options.path);
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), checkEveryMs).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    const { closeWithinMs = usualCloseWithinMs } = this.#options;
    if (this.#running && !(await resolvesWithin(this.#running, closeWithinMs))) {
      this.#report('the thread did not end in time');
      this.#abandoned.resolve();
      await this.#running;
    }
    if (this.#watching.isOpen) this.#watching.close();
  }

  /** Pages in the log that are not overwritten yet. */
  get pages(): number {
    return Number(this.#watching.prepare('pragma wal_checkpoint(noop)').get()?.['log'] ?? 0);
  }

  /** Runs a checkpoint when the log is long enough. Never rejects, because a failing disk may work the next time. */
  look(): Promise<void> {
    this.#running ??= this.#checkpointIfDue()
      .catch((error: unknown) => this.#report(messageOf(error)))
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  #report(error: string): void {
    if (this.#reported.has(error)) return;
    this.#reported.add(error);
    this.#options.onError?.(error);
  }

  async #checkpointIfDue(): Promise<void> {
    // Opening another file at this path would discard the log, or copy it into an unrelated database.
    if (fileAt(this.#options.path) !== this.#file || this.pages < this.#nextAt) return;
    await this.#checkpoint().catch((error: unknown) => this.#report(messageOf(error)));
    // If a long read or a full disk keeps pages in the log, the checkpoint is retried after the log has grown by the
    // same amount.
    const left = this.pages;
    this.#nextAt = this.#maxPages + (left < this.#maxPages ? 0 : left);
  }

  async #checkpoint(): Promise<void> {
    const bareProcess = { env: {}, execArgv: [], argv: [] };
    const thread = new Worker(this.#options.thread ?? usualThread, {
      ...bareProcess,
      name: 'checkpoint',
      workerData: { path: this.#options.path },
    });
    const abandoned = this.#abandoned.promise.then((): undefined => {
      void thread.terminate();
    });
    // Both reject when the thread fails.
    const ended = once(thread, 'exit').then(() => noResult);
    const news = (): Promise<CheckpointMessage | undefined> => {
      const message = once(thread, 'message').then(([first]) => first as CheckpointMessage);
      return Promise.race([message, ended, abandoned]);
    };
    let result = await news();
    if (result === 'ready')
      await this.#options.hold(async () => {
        const done = news();
        thread.postMessage('begin');
        result = await done;
      });
    await Promise.race([ended, abandoned]);
    if (typeof result !== 'object') return;
    if ('error' in result) this.#report(result.error);
    else this.#reported.clear();
  }
}

const noResult: CheckpointMessage = { error: 'the thread ended without a result' };

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Identity of a file, independent of its contents. */
function fileAt(path: string): string {
  const { dev, ino } = statSync(path, { throwIfNoEntry: false }) ?? {};
  return `${dev} ${ino}`;
}
