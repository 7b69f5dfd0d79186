import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, type LogEvent, PostgresDialect, sql } from 'kysely';
import type { PoolConfig } from 'pg';
import { makePrivateFile, prepareDataFolder } from '../data-folder.ts';
import { StartFailure } from '../start-failure.ts';
import type { Schema } from './schema.ts';
import { NodeSqliteDialect } from './sqlite-dialect.ts';

export type Database = Kysely<Schema>;

export interface DatabaseLocation {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

const connectTimeoutMs = 5000;

/** Opens the configured database and proves that it answers; what stands in the way is a StartFailure. */
export async function openDatabase(location: DatabaseLocation, log?: (event: LogEvent) => void): Promise<Database> {
  return location.databaseUrl === undefined
    ? openSqlite(location.dataDir, log)
    : openPostgres(location.databaseUrl, {}, log);
}

/**
 * Opens a database to read it alone; a server may be using it. `place` is a file or an address in place of the
 * location.
 */
export async function openForReading(location: DatabaseLocation, place?: string): Promise<Database> {
  const url = place === undefined ? location.databaseUrl : /^postgres(ql)?:\/\//.test(place) ? place : undefined;
  if (url !== undefined) return openPostgres(url);
  const path = place ?? databaseFile(location.dataDir);
  if (!existsSync(path)) throw new StartFailure(`There is no database file ${path}.`);
  return openFile(path, 'read');
}

/** A query of an export that takes longer than this is ended. */
const exportStatementMs = 60_000;

/** One connection for one export: it only reads, and nobody waits for it. */
export async function openForExport({ dataDir, databaseUrl }: DatabaseLocation): Promise<Database> {
  if (databaseUrl === undefined) return openFile(databaseFile(dataDir), 'read');
  return openPostgres(databaseUrl, {
    max: 1,
    statement_timeout: exportStatementMs,
    options: '-c default_transaction_read_only=on',
    application_name: 'headgate export',
  });
}

export const databaseFile = (dataDir: string) => join(dataDir, 'headgate.db');

const logging = (log: ((event: LogEvent) => void) | undefined) => (log ? { log } : {});

function openSqlite(dataDir: string, log?: (event: LogEvent) => void): Database {
  prepareWritableFolder(dataDir);
  const path = databaseFile(dataDir);
  // What SQLite puts beside the file has its mode.
  makePrivateFile(path);
  return openFile(path, 'write', log);
}

export function prepareWritableFolder(dataDir: string): void {
  try {
    prepareDataFolder(dataDir);
    accessSync(dataDir, constants.W_OK);
  } catch (error) {
    throw new StartFailure(`DATA_DIR ${dataDir} cannot be written (${codeOf(error)}).`);
  }
}

function openFile(path: string, use: 'write' | 'read', log?: (event: LogEvent) => void): Database {
  try {
    return new Kysely<Schema>({ dialect: new NodeSqliteDialect(path, use), ...logging(log) });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartFailure(`The database file ${path} cannot be used (${reason}). It was left as it is.`);
  }
}

async function openPostgres(
  url: string,
  settings: PoolConfig = {},
  log?: (event: LogEvent) => void,
): Promise<Database> {
  const { default: pg } = await import('pg');
  // Points and counts fit a safe integer; as text they would concatenate instead of add.
  const asNumber = (text: string) => Number(text);
  const parsers: ReadonlyMap<number, (text: string) => number> = new Map([
    [pg.types.builtins.INT8, asNumber],
    [pg.types.builtins.NUMERIC, asNumber],
  ]);
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    ...settings,
    types: { getTypeParser: (oid, format) => parsers.get(oid) ?? pg.types.getTypeParser(oid, format) },
  });
  // A connection that breaks while idle is replaced at its next use; without a listener it would end the process.
  pool.on('error', () => undefined);
  // One that breaks while it is used would end the process too; its query fails, which is enough.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const database = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), ...logging(log) });
  try {
    await sql`select 1`.execute(database);
    return database;
  } catch (error) {
    await database.destroy();
    throw new StartFailure(`DATABASE_URL cannot be reached: ${describeUrl(url)} (${codeOf(error)}).`);
  }
}

/** The address without user and password. */
function describeUrl(url: string): string {
  try {
    const { hostname, port, pathname, username } = new URL(url);
    // An unencoded # or / ends the host early: what then seems to be host and port is user and password.
    if (url.includes('@') && username === '') return 'it is not a valid URL';
    return `${hostname}:${port || '5432'}${pathname}`;
  } catch {
    return 'it is not a valid URL';
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return code ?? error.message;
}
