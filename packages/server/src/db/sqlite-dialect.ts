import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';

/** Prepared statements kept for reuse; the oldest go first. */
const keptStatements = 500;

/** Kysely's SQLite dialect over Node's built-in driver. */
export class NodeSqliteDialect extends SqliteDialect implements Dialect {
  readonly #database: SqliteDatabase;

  constructor(path: string) {
    const database = openFile(path);
    super({ database });
    this.#database = database;
  }

  override createDriver() {
    return new ImmediateDriver({ database: this.#database });
  }

  override createAdapter() {
    return new TransactionalAdapter();
  }
}

/** SQLite's DDL is transactional; saying so lets a migration killed half-way leave nothing behind. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

/** Takes the write lock at the start, so that two processes queue instead of failing at their first write. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

function openFile(path: string): SqliteDatabase {
  const database = openSound(path);
  const statements = new Map<string, SqliteStatement>();
  return {
    prepare(sql) {
      const kept = statements.get(sql) ?? asKyselyStatement(database.prepare(sql));
      statements.delete(sql);
      statements.set(sql, kept);
      if (statements.size > keptStatements) statements.delete(statements.keys().next().value as string);
      return kept;
    },
    close() {
      database.close();
    },
  };
}

/** A damaged file is not touched: it is checked before the first setting that is written to it. */
function openSound(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 10_000 });
  try {
    const damage = String(database.prepare('pragma quick_check(1)').get()?.['quick_check']);
    if (damage !== 'ok') throw new Error(damage.replace(/\s+/g, ' '));
    database.exec(`
      pragma journal_mode = wal;
      pragma synchronous = normal;
      pragma foreign_keys = on;
      pragma temp_store = memory;
    `);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function asKyselyStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...(parameters as SQLInputValue[])),
    run: (parameters) => statement.run(...(parameters as SQLInputValue[])),
    iterate: (parameters) => statement.iterate(...(parameters as SQLInputValue[])),
  };
}
