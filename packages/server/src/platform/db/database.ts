import { accessSync, constants, existsSync } from 'node:fs';
import { Kysely, type LogEvent, PostgresDialect, sql } from 'kysely';
import type { PoolConfig } from 'pg';
import { StartFailure } from '../errors/start-failure.ts';
import { folderError } from '../storage/create-folder.ts';
import { makePrivateFile, prepareDataFolder } from '../storage/data-folder.ts';
import { databaseFile } from '../storage/database-file.ts';
import { DatabaseMetrics } from '../storage/database-metrics.ts';
import {
  type DatabaseLimits,
  defaultDatabaseLimits,
  noDatabaseLimits,
  relayDatabaseLimits,
  type SqliteSynchronous,
} from './database-limits.ts';
import type { Schema } from './schema.ts';
import { NodeSqliteDialect, registerArrayReader } from './sqlite-dialect.ts';

export type Database = Kysely<Schema>;

const figures = new WeakMap<Database, DatabaseMetrics>();

/** Connection metrics; undefined for a database that was not opened here. */
export const getDatabaseMetrics = (database: Database): DatabaseMetrics | undefined => figures.get(database);

export interface DatabaseLocation {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** Defaults to `defaultDatabaseLimits`; not used on SQLite. */
  readonly databaseLimits?: DatabaseLimits;
  /** `normal` by default. SQLite only. */
  readonly sqliteSynchronous?: SqliteSynchronous;
}

/** For loading callers and for leases. */
const relayConnections = 3;

/** Maximum number of batches stored concurrently; one more connection runs the rollup. */
export const maxConcurrentBatches = 4;

/** Opens the configured database and checks that it responds; problems are thrown as StartFailure. */
export async function openDatabase(location: DatabaseLocation, log?: (event: LogEvent) => void): Promise<Database> {
  return location.databaseUrl === undefined
    ? openSqlite(location, log)
    : openPostgres(location.databaseUrl, { limits: location.databaseLimits, log });
}

/** Connections reserved for the relay, so that console queries do not delay it. */
export async function openRelayConnections(
  { databaseUrl, databaseLimits = defaultDatabaseLimits }: DatabaseLocation,
  log?: (event: LogEvent) => void,
): Promise<Database | undefined> {
  if (databaseUrl === undefined) return undefined;
  return openPostgres(databaseUrl, {
    limits: relayDatabaseLimits(databaseLimits),
    settings: { max: relayConnections, application_name: 'headgate relay' },
    log,
  });
}

/**
 * Connections reserved for storing charges: a few statements, each prepared once, without waiting for other queries.
 */
export async function openChargeConnections(
  { databaseUrl, databaseLimits = defaultDatabaseLimits }: DatabaseLocation,
  log?: (event: LogEvent) => void,
): Promise<Database | undefined> {
  if (databaseUrl === undefined) return undefined;
  return openPostgres(databaseUrl, {
    limits: relayDatabaseLimits(databaseLimits),
    settings: {
      max: maxConcurrentBatches + 1,
      application_name: 'headgate charges',
      // The query plan does not depend on the values.
      options: '-c plan_cache_mode=force_generic_plan -c jit=off',
    },
    isPrepared: true,
    log,
  });
}

/** Opens a PostgreSQL connection for migrations, without time limits. */
export async function openForMigration(url: string, log?: (event: LogEvent) => void): Promise<Database> {
  return openPostgres(url, { limits: noDatabaseLimits, settings: { max: 1 }, log });
}

/**
 * Opens a database read-only; a server may be using it. `place` is a file or URL that replaces the configured
 * location.
 */
export async function openForReading(location: DatabaseLocation, from?: string): Promise<Database> {
  const url = from === undefined ? location.databaseUrl : /^postgres(ql)?:\/\//.test(from) ? from : undefined;
  if (url !== undefined) return openPostgres(url);
  const path = from ?? databaseFile(location.dataDir);
  if (!existsSync(path)) throw new StartFailure(`There is no database file ${path}.`);
  return openFile(path, 'read');
}

/** Time limit of an export query in milliseconds. */
const exportStatementMs = 60_000;

/** Opens a read-only connection for one export. */
export async function openForExport({ dataDir, databaseUrl }: DatabaseLocation): Promise<Database> {
  if (databaseUrl === undefined) return openFile(databaseFile(dataDir), 'read');
  return openPostgres(databaseUrl, {
    limits: { ...defaultDatabaseLimits, statementMs: exportStatementMs },
    settings: { max: 1, options: '-c default_transaction_read_only=on', application_name: 'headgate export' },
  });
}

/** Opens a read-only connection without time limits for an archive. PostgreSQL only. */
export const openForArchive = (url: string): Promise<Database> =>
  openPostgres(url, {
    limits: noDatabaseLimits,
    settings: { max: 1, options: '-c default_transaction_read_only=on', application_name: 'headgate archive' },
  });

/** In-memory database, deleted when it is closed. */
export const openInMemory = (): Database => openFile(':memory:', 'write');

const logging = (log: ((event: LogEvent) => void) | undefined) => (log ? { log } : {});

function openSqlite({ dataDir, sqliteSynchronous }: DatabaseLocation, log?: (event: LogEvent) => void): Database {
  prepareWritableFolder(dataDir);
  const path = databaseFile(dataDir);
  // SQLite's companion files inherit the mode of the database file.
  makePrivateFile(path);
  return openFile(path, 'write', { synchronous: sqliteSynchronous, log });
}

export function prepareWritableFolder(dataDir: string): void {
  try {
    prepareDataFolder(dataDir);
    accessSync(dataDir, constants.W_OK);
  } catch (error) {
    throw new StartFailure(`DATA_DIR ${dataDir} cannot be written (${folderError(error)}).`);
  }
}

interface FileOptions {
  readonly synchronous?: SqliteSynchronous | undefined;
  readonly log?: ((event: LogEvent) => void) | undefined;
}

function openFile(path: string, use: 'write' | 'read', { synchronous, log }: FileOptions = {}): Database {
  try {
    const own = new DatabaseMetrics();
    const dialect = new NodeSqliteDialect(path, { use, synchronous, onError: (error) => own.failed(error) });
    const database = new Kysely<Schema>({ dialect, ...logging(log) });
    figures.set(database, own);
    registerArrayReader(database, (query) => dialect.arrays(query));
    return database;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartFailure(`The database file ${path} cannot be used (${reason}). It was not changed.`);
  }
}

interface Connections {
  readonly limits?: DatabaseLimits | undefined;
  readonly settings?: PoolConfig;
  /** True if all statements come from a small fixed set that is run repeatedly. */
  readonly isPrepared?: boolean;
  readonly log?: ((event: LogEvent) => void) | undefined;
}

async function openPostgres(
  url: string,
  { limits = defaultDatabaseLimits, settings = {}, isPrepared = false, log }: Connections = {},
): Promise<Database> {
  // Loaded on demand to save memory on SQLite.
  const { postgresPool } = await import('./postgres-pool.ts');
  const pool = postgresPool(url, limits, { settings, isPrepared });
  const database = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), ...logging(log) });
  figures.set(database, pool.figures);
  registerArrayReader(database, ({ sql: text, parameters }) => pool.arrays(text, parameters));
  try {
    await sql`select 1`.execute(database);
    return database;
  } catch (error) {
    await database.destroy();
    throw databaseUnreachable(url, error);
  }
}

export const databaseUnreachable = (url: string, error: unknown): StartFailure =>
  new StartFailure(`DATABASE_URL cannot be reached: ${describeUrl(url)} (${codeOf(error)}).`, { cause: error });

/** The URL without user and password. */
function describeUrl(url: string): string {
  try {
    const { hostname, port, pathname, username } = new URL(url);
    // An unencoded # or / ends the host early, so that user and password look like host and port.
    if (url.includes('@') && username === '') return 'it is not a valid URL';
    return `${hostname}:${port || '5432'}${pathname}`;
  } catch {
    return 'it is not a valid URL';
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return code === '53300' ? '53300, too many connections' : (code ?? error.message);
}
