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
import { migrate, migrationsOf } from './migrate.ts';
import { ProcessLock } from './process-lock.ts';
import { ownCheckpointPages, WalCheckpoints } from './wal-checkpoints.ts';

interface ServingOptions {
  /** Hears of every statement when it has been run. */
  readonly onStatement?: ((event: LogEvent) => void) | undefined;
  /** How long another process on the same SQLite file may take to end. */
  readonly patienceMs?: number | undefined;
  /** Called when the log of a SQLite file cannot be copied into it, once for each distinct error. */
  readonly onCheckpointError?: ((error: string) => void) | undefined;
  /** Rejects a database that must not be migrated. Not called for an empty one. */
  readonly beforeMigration?: ((database: Database) => Promise<void>) | undefined;
}

/** A database that a server works with: up to date, and a SQLite file its own. */
export interface ServedDatabase {
  readonly database: Database;
  /** What the relay asks goes here; undefined: to the same. */
  readonly relayDatabase: Database | undefined;
  /** Where charges are stored; undefined: in the same. */
  readonly chargeDatabase: Database | undefined;
  close(): Promise<void>;
}

export async function serveDatabase(location: DatabaseLocation, options: ServingOptions = {}): Promise<ServedDatabase> {
  const lock = location.databaseUrl === undefined ? await lockFile(location.dataDir, options.patienceMs) : undefined;
  /** What has been opened, the last first. */
  const opened: Database[] = [];
  let checkpoints: WalCheckpoints | undefined;
  const close = async () => {
    // Before the others: the last connection that is closed empties the log.
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
    if ((await migrationsOf(database)).length > 0) await options.beforeMigration?.(database);
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

/** Over a connection of its own, where statements may take as long as they take. */
async function migrateOver(url: string | undefined, database: Database): Promise<void> {
  if (url === undefined) return migrate(database);
  const patient = await openForMigration(url);
  await migrate(patient).finally(() => patient.destroy());
}

/** Beside the file itself, by whatever name it is reached. */
function lockFile(dataDir: string, patienceMs: number | undefined): Promise<ProcessLock> {
  prepareWritableFolder(dataDir);
  const file = databaseFile(dataDir);
  return ProcessLock.take(existsSync(file) ? realpathSync(file) : file, patienceMs);
}
