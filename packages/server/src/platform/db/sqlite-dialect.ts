import { existsSync, statSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  type Compilable,
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Kysely,
  type SelectModifierNode,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
  type SqliteStatement,
  type TransactionSettings,
} from 'kysely';
import type { SqliteSynchronous } from './database-limits.ts';
import type { Schema } from './schema.ts';

/** Maximum number of cached prepared statements; the oldest are dropped first. */
const maxCachedStatements = 500;

interface SqliteOptions {
  readonly use?: 'write' | 'read';
  readonly synchronous?: SqliteSynchronous | undefined;
  readonly onError?: (error: unknown) => void;
}

/** Kysely's SQLite dialect on Node's built-in driver. */
export class NodeSqliteDialect extends SqliteDialect implements Dialect {
  readonly #database: OpenFile;

  constructor(path: string, options: SqliteOptions = {}) {
    const database = openFile(path, options);
    super({ database });
    this.#database = database;
  }

  /** Rows of a query, each as an array of its columns. */
  arrays(query: CompiledQuery): ArrayRow[] {
    return this.#database.arrays(query.sql, query.parameters);
  }

  override createDriver() {
    return new ImmediateDriver({ database: this.#database });
  }

  override createAdapter() {
    return new TransactionalAdapter();
  }

  override createQueryCompiler() {
    return new RowLockFreeCompiler();
  }
}

/**
 * A transaction locks the whole database from its start, so `for update`, which SQLite does not support, is not
 * needed.
 */
class RowLockFreeCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier !== 'ForUpdate') super.visitSelectModifier(node);
  }
}

/**
 * SQLite's DDL is transactional. Kysely then runs migrations in a transaction, so that a killed migration leaves
 * nothing behind.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

/**
 * Takes the write lock at the start, so that two processes queue instead of failing at their first write. Read-only
 * transactions do not wait.
 */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings = {}) {
    const begin = settings.accessMode === 'read only' ? 'begin' : 'begin immediate';
    await connection.executeQuery(CompiledQuery.raw(begin));
  }

  /**
   * SQLite already rolls back when the disk is full; the error of a second rollback must not replace the original
   * error.
   */
  override async rollbackTransaction(connection: DatabaseConnection) {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error;
    }
  }
}

interface OpenFile extends SqliteDatabase {
  arrays(sql: string, parameters: readonly unknown[]): ArrayRow[];
}

function openFile(path: string, options: SqliteOptions): OpenFile {
  const { onError = () => undefined } = options;
  const database = openSound(path, options);
  const prepared = keeping((sql) => asKyselyStatement(database.prepare(sql), onError));
  const preparedForArrays = keeping((sql) => database.prepare(sql, { returnArrays: true }));
  return {
    prepare: (sql) => telling(onError, () => prepared(sql)),
    // Node's types do not reflect that `returnArrays` changes the rows.
    arrays: (sql, parameters) =>
      telling(onError, () => preparedForArrays(sql).all(...(parameters as SQLInputValue[])) as unknown as ArrayRow[]),
    close() {
      database.close();
    },
  };
}

/** Caches prepared statements and drops the least recently used. */
function keeping<Statement>(prepare: (sql: string) => Statement): (sql: string) => Statement {
  const statements = new Map<string, Statement>();
  return (sql) => {
    const kept = statements.get(sql) ?? prepare(sql);
    statements.delete(sql);
    statements.set(sql, kept);
    if (statements.size > maxCachedStatements) statements.delete(statements.keys().next().value as string);
    return kept;
  };
}

const busy = 5;

/** Above this size, only the schema is checked, so that a start stays fast. */
const largestChecked = 64 * 1024 * 1024;

const checkFor = (path: string): string => {
  const size = existsSync(path) ? statSync(path).size : 0;
  return size <= largestChecked ? 'pragma quick_check(1)' : "pragma quick_check('sqlite_schema')";
};

/** The file is checked before the first setting is written, so that a damaged file is not modified. */
function openSound(path: string, { use = 'write', synchronous = 'normal' }: SqliteOptions): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 10_000, readOnly: use === 'read' });
  try {
    const damage = String(database.prepare(checkFor(path)).get()?.['quick_check']);
    if (damage !== 'ok') throw new Error(damage.replace(/\s+/g, ' '));
    if (use === 'write') {
      requireWritable(database);
      // Copies pages that every batch of charges changes into the file every 16 MB of log instead of every 4 MB.
      database.exec(`pragma journal_mode = wal; pragma synchronous = ${synchronous}; pragma wal_autocheckpoint = 4000`);
    }
    database.exec('pragma foreign_keys = on; pragma temp_store = memory');
    // SQLite's `lower` handles only ASCII. On PostgreSQL a migration creates this function.
    database.function('fold_case', { deterministic: true }, (text) =>
      text === null ? null : String(text).toLowerCase(),
    );
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLite opens an unwritable file read-only and fails only at the first write. */
function requireWritable(database: DatabaseSync): void {
  try {
    database.exec('begin immediate; pragma user_version = 1; rollback');
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    // A busy file is being written by another process, so it is writable.
    if (((error as { errcode?: number }).errcode ?? 0) !== busy) throw error;
  }
}

function asKyselyStatement(statement: StatementSync, onError: (error: unknown) => void): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => telling(onError, () => statement.all(...(parameters as SQLInputValue[]))),
    run: (parameters) => telling(onError, () => statement.run(...(parameters as SQLInputValue[]))),
    iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
  };
}

function telling<T>(onError: (error: unknown) => void, act: () => T): T {
  try {
    return act();
  } catch (error) {
    onError(error);
    throw error;
  }
}

/** Columns of a row in the selected order. */
export type ArrayRow = readonly unknown[];

type ReadArrays = (query: CompiledQuery) => ArrayRow[] | Promise<ArrayRow[]>;

const readers = new WeakMap<Kysely<Schema>, ReadArrays>();

/** Registers how a database reads rows as arrays. */
export const registerArrayReader = (database: Kysely<Schema>, read: ReadArrays): void =>
  void readers.set(database, read);

/** Reads rows as arrays, because creating objects takes longer than reading. This matters for millions of rows. */
export async function readArrays(database: Kysely<Schema>, query: Compilable): Promise<readonly ArrayRow[]> {
  const read = readers.get(database);
  if (!read) throw new Error('The database was not opened for reading arrays');
  return read(query.compile());
}
