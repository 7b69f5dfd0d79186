import { existsSync, realpathSync } from 'node:fs';
import { type LogEvent, sql } from 'kysely';
import {
  type Database,
  type DatabaseLocation,
  databaseFile,
  openDatabase,
  openForCharges,
  openForMigration,
  openForRelay,
  prepareWritableFolder,
} from './database.ts';
import { appliedMigrations, migrate } from './migrate.ts';
import { ProcessLock } from './process-lock.ts';
import { ownCheckpointPages, WalCheckpoints } from './wal-checkpoints.ts';

export type BeforeMigration = (database: Database, isEmpty: boolean) => Promise<void>;

interface ServingOptions {
  /** Called after every statement. */
  readonly onStatement?: ((event: LogEvent) => void) | undefined;
  /** How long another process on the same SQLite file may take to end. */
  readonly patienceMs?: number | undefined;
  /** Called once for each distinct error when the write-ahead log cannot be copied into the SQLite file. */
  readonly onCheckpointError?: ((error: string) => void) | undefined;
  /** Rejects a database that must not be migrated. */
  readonly beforeMigration?: BeforeMigration | undefined;
}

/** Database of a server: migrated, and in case of a SQLite file locked. */
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
    const relayDatabase = kept(await openForRelay(location, options.onStatement));
    const chargeDatabase = kept(await openForCharges(location, options.onStatement));
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
  await sql`pragma wal_autocheckpoint = ${sql.lit(ownCheckpointPages)}`.execute(database);
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

/** Locks the real file, even if it is opened through a link. */
function lockFile(dataDir: string, patienceMs: number | undefined): Promise<ProcessLock> {
  prepareWritableFolder(dataDir);
  const file = databaseFile(dataDir);
  return ProcessLock.take(existsSync(file) ? realpathSync(file) : file, patienceMs);
}
