import { statSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { ImportError } from '../import-error.ts';
import {
  type ImportSource,
  type LogPage,
  type LogRows,
  longestLogText,
  longestText,
  mostRows,
  recognisedKind,
  type SourceContents,
  type SourceKind,
  type SourceRow,
  type SourceTable,
  sourceColumns,
  sourceTables,
} from './source.ts';
import { cannotBeRead } from './source-address.ts';
import { asWhole, integerOf, withoutNulls } from './source-values.ts';

/** How long to wait for a lock of another program. */
const patienceMs = 10_000;

/** A gateway's database in a SQLite file. */
export class SqliteSource implements ImportSource {
  readonly kind: SourceKind;
  readonly place: string;
  readonly #file: DatabaseSync;

  private constructor(file: DatabaseSync, kind: SourceKind, place: string) {
    this.#file = file;
    this.kind = kind;
    this.place = place;
  }

  static open(path: string): SqliteSource {
    if (!statSync(path).isFile()) throw new ImportError(`${path} is not a file.`);
    let file: DatabaseSync | undefined;
    try {
      file = new DatabaseSync(path, { readOnly: true, timeout: patienceMs });
      // The schema of an untrusted file must not call functions.
      file.exec('pragma trusted_schema = off');
      const kind = recognisedKind(columnsIn(file));
      if (kind) return new SqliteSource(file, kind, path);
    } catch (error) {
      file?.close();
      throw ofFile(path, error);
    }
    file.close();
    throw new ImportError(`File ${path} is not a One API or new-api database.`);
  }

  contents(): Promise<SourceContents> {
    return this.#reading(() => {
      const tables = Object.fromEntries(sourceTables.map((table) => [table, this.#all(table)]));
      const hasLogs = columnsIn(this.#file)('logs').size > 0;
      const [last] = hasLogs ? this.#read('select max(id) as id from logs') : [];
      return { tables: tables as SourceContents['tables'], lastLogId: last ? integerOf(last, 'id') : 0 };
    });
  }

  async logs({ after, upTo, since, most }: LogPage): Promise<LogRows> {
    const wanted = this.#wanted('logs', longestLogText);
    if (wanted.size === 0) return { rows: [], last: undefined };
    return this.#reading(() => {
      const rows = this.#read(
        `select ${listOf(wanted)} from logs
          where logs.id > ? and logs.id <= ? and logs.created_at >= ? order by logs.id limit ?`,
        after,
        upTo,
        since,
        most,
      );
      const lastRow = rows.at(-1);
      return { rows, last: lastRow && integerOf(lastRow, 'id') };
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
      throw ofFile(this.place, error);
    }
  }

  #all(table: SourceTable): readonly SourceRow[] {
    const wanted = this.#wanted(table, longestText);
    if (wanted.size === 0) return [];
    const order = wanted.has('id') ? ` order by "${table}".id` : '';
    const rows = this.#read(`select ${listOf(wanted)} from "${table}"${order} limit ?`, mostRows + 1);
    if (rows.length > mostRows) throw new ImportError(`${this.place} has more than ${mostRows} ${table}.`);
    return rows;
  }

  /** SQL expressions by column: numbers unchanged, text truncated. */
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
      // An integer beyond the safe range throws. Reading all values as bigints is slower, so it is only the fallback.
      statement.setReadBigInts(true);
      return statement.all(...values).map(withPlainValues);
    }
  }
}

const ofFile = (path: string, error: unknown): ImportError => cannotBeRead(`File ${path}`, messageOf(error));

/** Drops the generic SQLite error code. */
const messageOf = (error: unknown): unknown =>
  error instanceof Error && !(error instanceof ImportError) ? new Error(error.message, { cause: error }) : error;

/** Only real tables: a malicious view could run forever, and SQLite has no statement timeout here. */
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

const listOf = (wanted: ReadonlyMap<string, string>): string =>
  [...wanted].map(([column, read]) => `${read} as "${column}"`).join(', ');

/** Modified in place: copying would cost more than reading. */
function withPlainValues(row: Record<string, SQLOutputValue>): SourceRow {
  const plain: Record<string, unknown> = row;
  for (const column in row) {
    const value = row[column];
    if (typeof value !== 'number' && value !== null) plain[column] = asPlain(value);
  }
  return plain;
}

/** Blobs are read as text, as in the other databases. Otherwise a restriction stored as a blob would be lost. */
function asPlain(value: SQLOutputValue | undefined): unknown {
  if (typeof value === 'bigint') return asWhole(value);
  return withoutNulls(value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value);
}
