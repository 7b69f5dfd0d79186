import { role } from '@headgate/contract';
import { CompiledQuery, sql } from 'kysely';
import { isPostgres } from '../../platform/db/backend.ts';
import type { Database } from '../../platform/db/database.ts';
import { insertColumns } from '../../platform/db/insert-columns.ts';
import { isNodeAlive, isNodeListening } from '../../platform/db/live-nodes.ts';
import { migrationLock } from '../../platform/db/migrate.ts';
import type { Cell, Column, ColumnKind } from './archive-contents.ts';
import { archivedTable, tableNames } from './archived-tables.ts';

/**
 * Rows per statement on SQLite. Prepared statements are cached, so each table has two: one for a full batch and one
 * for a single row.
 */
const rowsAtOnce = 100;

const postgresTypes: Readonly<Record<ColumnKind, string>> = {
  integer: 'bigint',
  real: 'double precision',
  text: 'text',
  bytes: 'bytea',
};

type Value = number | string | null | Buffer;

interface TargetTable {
  readonly table: string;
  readonly columns: readonly Column[];
}

/** The database that a file is restored into. */
export class ArchiveTargetRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Blocks starting processes until the transaction ends. PostgreSQL only. */
  async lock(): Promise<void> {
    await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(this.#database);
  }

  /** Names of the processes that use the database. PostgreSQL only; SQLite uses a lock file instead. */
  async liveNodes(): Promise<readonly string[]> {
    if (!(await this.#tables()).has('nodes')) return [];
    const { rows } = await sql<{ name: string }>`select name from nodes where ${isNodeListening} or ${isNodeAlive}
      order by name`.execute(this.#database);
    return rows.map(({ name }) => name);
  }

  /** A table that contains user data; undefined when there is none. */
  async usedTable(): Promise<string | undefined> {
    const tables = await this.#tables();
    for (const table of tableNames.filter((name) => tables.has(name))) {
      const { isFilledAtStart } = archivedTable(table) ?? { isFilledAtStart: true };
      if (isFilledAtStart) continue;
      const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(this.#database);
      if (rows.length > 0) return table;
    }
    return tables.has('users') && (await this.#hasPeople()) ? 'users' : undefined;
  }

  /** Empties every table except for the check of the secret key. */
  async clear(): Promise<void> {
    const tables = await this.#tables();
    for (const table of tableNames.filter((name) => tables.has(name)).reverse()) {
      const kept = table === 'meta' ? sql`where key <> 'secret_check'` : sql``;
      await sql`delete from ${sql.table(table)} ${kept}`.execute(this.#database);
    }
  }

  /** `seal` encrypts secrets. */
  async insert({ table, columns }: TargetTable, rows: readonly (readonly Cell[])[], seal: (text: string) => string) {
    const values = rows.map((row) => row.map((cell) => storedValue(cell, seal)));
    if (isPostgres(this.#database)) {
      const typed = columns.map(({ name, kind }) => ({ name, type: postgresTypes[kind] }));
      return insertColumns(this.#database, table, typed, values);
    }
    for (let start = 0; start < values.length; ) {
      const count = values.length - start >= rowsAtOnce ? rowsAtOnce : 1;
      await this.#insertRows(table, columns, values.slice(start, start + count));
      start += count;
    }
  }

  /** Later rows get higher ids. */
  async setLastId(table: string, last: number): Promise<void> {
    if (last === 0) return;
    if (isPostgres(this.#database)) {
      await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last}::bigint)`.execute(this.#database);
      return;
    }
    await sql`delete from sqlite_sequence where name = ${table}`.execute(this.#database);
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(this.#database);
  }

  async #tables(): Promise<ReadonlySet<string>> {
    const tables = await this.#database.introspection.getTables();
    return new Set(tables.map(({ name }) => name));
  }

  /** True if there is any user except the first super admin, or that account was used. */
  async #hasPeople(): Promise<boolean> {
    const rows = await this.#database
      .selectFrom('users')
      .select(['role', 'used_quota', 'request_count'])
      .limit(2)
      .execute();
    return (
      rows.length > 1 || rows.some((row) => row.role !== role.root || row.used_quota !== 0 || row.request_count !== 0)
    );
  }

  async #insertRows(table: string, columns: readonly Column[], rows: readonly (readonly Value[])[]): Promise<void> {
    const names = columns.map(({ name }) => `"${name}"`).join(', ');
    const row = `(${columns.map(() => '?').join(', ')})`;
    const text = `insert into "${table}" (${names}) values ${rows.map(() => row).join(', ')}`;
    await this.#database.executeQuery(CompiledQuery.raw(text, rows.flat()));
  }
}

function storedValue(cell: Cell, seal: (text: string) => string): Value {
  if (cell === null || typeof cell !== 'object') return cell;
  return 'secret' in cell ? seal(cell.secret) : Buffer.from(cell.bytes, 'base64');
}
