import { existsSync, statSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { ImportError } from '../import-error.ts';
import { isMysqlAddress } from './mysql-address.ts';
import {
  defaultSourceLimits,
  detectKind,
  emptyTables,
  type ImportSource,
  type LogPage,
  type LogRows,
  maxLogTextLength,
  maxRows,
  maxTextLength,
  type SourceContents,
  type SourceKind,
  type SourceLimits,
  type SourceRow,
  type SourceTable,
  sourceColumns,
  sourceTables,
} from './source.ts';
import { readError } from './source-errors.ts';
import { readInteger, safeNumber, withoutNulls } from './source-values.ts';

interface Opener {
  isFor(from: string): boolean;
  open(address: string, limits: SourceLimits): Promise<ImportSource>;
}

/** Supported database servers. Their drivers are loaded on demand. */
const openers: readonly Opener[] = [
  {
    isFor: (from) => /^postgres(ql)?:\/\//i.test(from),
    open: async (address, limits) => {
      const { openPostgresSource } = await import('./postgres-source.ts');
      return openPostgresSource(address, limits);
    },
  },
  {
    isFor: isMysqlAddress,
    open: async (address, limits) => {
      const { openMysqlSource } = await import('./mysql-source.ts');
      return openMysqlSource(address, limits);
    },
  },
];

/** An unsupported source may still be a URL with a password, which must not be printed. */
const mayContainPassword = (from: string): boolean =>
  from.includes('@') || from.includes('://') || /password|pwd/i.test(from);

/** Opens the database of another gateway: a server URL or a SQLite file. */
export async function openSource(from: string, limits: SourceLimits = defaultSourceLimits): Promise<ImportSource> {
  if (existsSync(from)) return SqliteSource.open(from);
  const opener = openers.find(({ isFor }) => isFor(from));
  if (opener) return opener.open(from, limits);
  if (mayContainPassword(from)) {
    throw new ImportError(
      'The source is neither a file nor an address like postgres://user@host/name, mysql://user@host/name or user@tcp(host:3306)/name.',
    );
  }
  throw new ImportError(`File ${from} not found.`);
}

/** How long to wait for a lock held by another process. */
const busyTimeoutMs = 10_000;

/** A gateway's database in a SQLite file. */
class SqliteSource implements ImportSource {
  readonly kind: SourceKind;
  readonly location: string;
  readonly #file: DatabaseSync;

  private constructor(file: DatabaseSync, kind: SourceKind, place: string) {
    this.#file = file;
    this.kind = kind;
    this.location = place;
  }

  static open(path: string): SqliteSource {
    if (!statSync(path).isFile()) throw new ImportError(`${path} is not a file.`);
    let file: DatabaseSync | undefined;
    try {
      file = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
      // The schema of an untrusted file must not call functions.
      file.exec('pragma trusted_schema = off');
      const kind = detectKind(columnsIn(file));
      if (kind) return new SqliteSource(file, kind, path);
    } catch (error) {
      file?.close();
      throw fileError(path, error);
    }
    file.close();
    throw new ImportError(`File ${path} is not a One API or new-api database.`);
  }

  contents(): Promise<SourceContents> {
    return this.#reading(() => {
      const tables = Object.fromEntries(sourceTables.map((table) => [table, this.#all(table)]));
      const hasLogs = columnsIn(this.#file)('logs').size > 0;
      const [last] = hasLogs ? this.#read('select max(id) as id from logs') : [];
      return { tables: tables as SourceContents['tables'], lastLogId: last ? readInteger(last, 'id') : 0 };
    });
  }

  async logs({ after, upTo, since, limit }: LogPage): Promise<LogRows> {
    const wanted = this.#wanted('logs', maxLogTextLength);
    // LiteLLM does not support SQLite.
    if (wanted.size === 0 || typeof after === 'string' || typeof upTo === 'string')
      return { rows: [], last: undefined };
    return this.#reading(() => {
      const rows = this.#read(
        `select ${readList(wanted)} from logs
          where logs.id > ? and logs.id <= ? and logs.created_at >= ? order by logs.id limit ?`,
        after,
        upTo,
        since,
        limit,
      );
      const lastRow = rows.at(-1);
      return { rows, last: lastRow && readInteger(lastRow, 'id') };
    });
  }

  async close(): Promise<void> {
    this.#file.close();
  }

  /** Reads in one transaction, for a consistent snapshot. */
  async #reading<T>(read: () => T): Promise<T> {
    try {
      this.#file.exec('begin');
      try {
        return read();
      } finally {
        if (this.#file.isTransaction) this.#file.exec('rollback');
      }
    } catch (error) {
      throw fileError(this.location, error);
    }
  }

  #all(table: SourceTable): readonly SourceRow[] {
    const wanted = this.#wanted(table, maxTextLength);
    if (wanted.size === 0) return [];
    const order = wanted.has('id') ? ` order by "${table}".id` : '';
    const rows = this.#read(`select ${readList(wanted)} from "${table}"${order} limit ?`, maxRows + 1);
    if (rows.length > maxRows) throw new ImportError(`${this.location} has more than ${maxRows} ${table}.`);
    return rows;
  }

  /** SQL expressions by column: numbers unchanged, texts truncated. */
  #wanted(table: keyof typeof sourceColumns, longest: number): ReadonlyMap<string, string> {
    const there = columnsIn(this.#file)(table);
    return new Map(
      sourceColumns[table]
        .filter((column) => there.has(column))
        .map((column) => [
          column,
          `case when typeof("${column}") in ('text', 'blob') and octet_length("${column}") > ${longest}
            then substr("${column}", 1, ${longest + 1}) else "${column}" end`,
        ]),
    );
  }

  #read(sql: string, ...values: number[]): readonly SourceRow[] {
    const statement = this.#file.prepare(sql);
    try {
      return statement.all(...values).map(withPlainValues);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_OUT_OF_RANGE') throw error;
      // Reading an integer beyond the safe range throws. Reading all values as bigints is slower, so it is only the
      // fallback.
      statement.setReadBigInts(true);
      return statement.all(...values).map(withPlainValues);
    }
  }
}

const fileError = (path: string, error: unknown): ImportError => readError(`File ${path}`, messageOf(error));

/** Drops the generic SQLite error code. */
const messageOf = (error: unknown): unknown =>
  error instanceof Error && !(error instanceof ImportError) ? new Error(error.message, { cause: error }) : error;

/** Columns of real tables only: a malicious view could run forever, and SQLite has no statement timeout. */
const columnsIn = (file: DatabaseSync) => (table: string) =>
  new Set(
    file
      .prepare(
        `select columns.name from pragma_table_list as tables, pragma_table_info(tables.name) as columns
          where tables.schema = 'main' and tables.type = 'table' and tables.name = ?`,
      )
      .all(table)
      .map(({ name }) => String(name)),
  );

const readList = (wanted: ReadonlyMap<string, string>): string =>
  [...wanted].map(([column, read]) => `${read} as "${column}"`).join(', ');

/** Modified in place: copying would cost more than reading. */
function withPlainValues(row: Record<string, SQLOutputValue>): SourceRow {
  const plain: Record<string, unknown> = row;
  for (const column in row) {
    const value = row[column];
    if (typeof value !== 'number' && value !== null) plain[column] = plainValue(value);
  }
  return plain;
}

/** Reads blobs as text, as in the other databases. Otherwise a restriction stored as a blob would be lost. */
function plainValue(value: SQLOutputValue | undefined): unknown {
  if (typeof value === 'bigint') return safeNumber(value);
  return withoutNulls(value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value);
}

/** True for a LiteLLM config file, by its name. */
export const isConfigFile = (from: string): boolean => !from.includes('://') && /\.ya?ml$/i.test(from);

/** LiteLLM without a database: everything is read from its config.yaml. */
export function configFileSource(path: string): ImportSource {
  return {
    kind: 'litellm',
    location: path,
    contents: async () => ({ tables: emptyTables(), lastLogId: 0 }),
    logs: async () => ({ rows: [], last: undefined }),
    close: async () => undefined,
  };
}
