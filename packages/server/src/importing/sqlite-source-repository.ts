import { existsSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { StartFailure } from '../start-failure.ts';
import {
  type ImportSource,
  type LogPage,
  recognisedKind,
  type SourceContents,
  type SourceKind,
  type SourceRow,
  sourceTables,
} from './source.ts';
import { integerOf, withoutNulls } from './source-values.ts';

/** How long another program may hold the file. */
const patienceMs = 10_000;

/** A gateway's database in a SQLite file. */
export class SqliteSourceRepository implements ImportSource {
  readonly kind: SourceKind;
  readonly #file: DatabaseSync;

  private constructor(file: DatabaseSync, kind: SourceKind) {
    this.#file = file;
    this.kind = kind;
  }

  static open(path: string): SqliteSourceRepository {
    if (!existsSync(path)) throw new StartFailure(`There is no file ${path}.`);
    let file: DatabaseSync | undefined;
    try {
      file = new DatabaseSync(path, { readOnly: true, timeout: patienceMs });
      const kind = recognisedKind(columnsIn(file));
      if (kind) return new SqliteSourceRepository(file, kind);
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
      const columnsOf = columnsIn(this.#file);
      const tables = Object.fromEntries(
        sourceTables.map((table) => [table, columnsOf(table).size === 0 ? [] : this.#all(table, columnsOf(table))]),
      ) as SourceContents['tables'];
      const hasLogs = columnsOf('logs').size > 0;
      const [last] = hasLogs ? this.#read('select max(id) as id from logs') : [];
      return { tables, lastLogId: last ? integerOf(last, 'id') : 0 };
    } finally {
      this.#file.exec('commit');
    }
  }

  async logs({ after, upTo, since, most }: LogPage): Promise<readonly SourceRow[]> {
    return this.#read(
      'select * from logs where id > ? and id <= ? and created_at >= ? order by id limit ?',
      after,
      upTo,
      since,
      most,
    );
  }

  async close(): Promise<void> {
    this.#file.close();
  }

  #all(table: string, columns: ReadonlySet<string>): readonly SourceRow[] {
    return this.#read(`select * from "${table}"${columns.has('id') ? ' order by id' : ''}`);
  }

  #read(sql: string, ...values: number[]): readonly SourceRow[] {
    const statement = this.#file.prepare(sql);
    // Without it a number that is too large ends the reading.
    statement.setReadBigInts(true);
    return statement.all(...values).map(withPlainValues);
  }
}

const columnsIn = (file: DatabaseSync) => (table: string) =>
  new Set(
    file
      .prepare('select name from pragma_table_info(?)')
      .all(table)
      .map(({ name }) => String(name)),
  );

const withPlainValues = (row: Readonly<Record<string, SQLOutputValue>>): SourceRow =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asPlain(value)]));

const asPlain = (value: SQLOutputValue): unknown => {
  if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) return Number(value);
  return withoutNulls(value);
};
