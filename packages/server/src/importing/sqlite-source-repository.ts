import { existsSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { StartFailure } from '../start-failure.ts';
import {
  type ImportSource,
  type LogPage,
  type LogRows,
  longestLogText,
  longestText,
  recognisedKind,
  type SourceContents,
  type SourceKind,
  type SourceRow,
  sourceColumns,
  sourceTables,
} from './source.ts';
import { asWhole, integerOf, withoutNulls } from './source-values.ts';

/** How long another program may hold the file. */
const patienceMs = 10_000;

/** A gateway's database in a SQLite file. */
export class SqliteSourceRepository implements ImportSource {
  readonly kind: SourceKind;
  readonly place: string;
  readonly #file: DatabaseSync;

  private constructor(file: DatabaseSync, kind: SourceKind, place: string) {
    this.#file = file;
    this.kind = kind;
    this.place = place;
  }

  static open(path: string): SqliteSourceRepository {
    if (!existsSync(path)) throw new StartFailure(`There is no file ${path}.`);
    let file: DatabaseSync | undefined;
    try {
      file = new DatabaseSync(path, { readOnly: true, timeout: patienceMs });
      const kind = recognisedKind(columnsIn(file));
      if (kind) return new SqliteSourceRepository(file, kind, path);
    } catch (error) {
      file?.close();
      const reason = error instanceof Error ? error.message : String(error);
      throw new StartFailure(`The file ${path} cannot be read (${reason}).`);
    }
    file.close();
    throw new StartFailure(`The file ${path} is a database of neither One API nor new-api.`);
  }

  async contents(): Promise<SourceContents> {
    this.#file.exec('begin');
    try {
      const tables = Object.fromEntries(
        sourceTables.map((table) => {
          const wanted = this.#wanted(table, longestText);
          const order = wanted.has('id') ? ` order by "${table}".id` : '';
          return [table, wanted.size === 0 ? [] : this.#read(`select ${listOf(wanted)} from "${table}"${order}`)];
        }),
      ) as unknown as SourceContents['tables'];
      const hasLogs = columnsIn(this.#file)('logs').size > 0;
      const [last] = hasLogs ? this.#read('select max(id) as id from logs') : [];
      return { tables, lastLogId: last ? integerOf(last, 'id') : 0 };
    } finally {
      this.#file.exec('commit');
    }
  }

  async logs({ after, upTo, since, most }: LogPage): Promise<LogRows> {
    const wanted = this.#wanted('logs', longestLogText);
    if (wanted.size === 0) return { rows: [], last: undefined };
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
  }

  async close(): Promise<void> {
    this.#file.close();
  }

  /** What is read for each column: numbers as they are, and no more of a text than is told. */
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
      // A number that is too large ends the reading, unless all are read as such, which takes longer.
      statement.setReadBigInts(true);
      return statement.all(...values).map(withPlainValues);
    }
  }
}

const columnsIn = (file: DatabaseSync) => (table: string) =>
  new Set(
    file
      .prepare('select name from pragma_table_info(?)')
      .all(table)
      .map(({ name }) => String(name)),
  );

const listOf = (wanted: ReadonlyMap<string, string>): string =>
  [...wanted].map(([column, read]) => `${read} as "${column}"`).join(', ');

/** The row is nobody else's: making another would cost more than reading it. */
function withPlainValues(row: Record<string, SQLOutputValue>): SourceRow {
  const plain: Record<string, unknown> = row;
  for (const column in row) {
    const value = row[column];
    if (typeof value === 'string' || typeof value === 'bigint') plain[column] = asPlain(value);
  }
  return plain;
}

const asPlain = (value: string | bigint): unknown => (typeof value === 'bigint' ? asWhole(value) : withoutNulls(value));
