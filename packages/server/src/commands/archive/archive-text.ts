import { StartFailure } from '../../platform/errors/start-failure.ts';
import type { ArchiveInfo, Cell, Column } from './archive-contents.ts';
import { type ArchivedTable, archivedTable, archivedTables, type StoredRow } from './archived-tables.ts';

/** Source of the rows. */
export interface ArchiveSource {
  readonly facts: ArchiveInfo;
  /** Columns of each existing table. */
  readonly schema: ReadonlyMap<string, readonly Column[]>;
  lastId(table: string): Promise<number>;
  rows(table: string): AsyncIterable<readonly StoredRow[]>;
  /** Decrypts a text. */
  open(sealed: string): string;
}

type OnTable = (table: string, rows: number) => void;

/** Yields all contents of a file, line by line. */
export async function* archiveText(source: ArchiveSource, onTable: OnTable): AsyncGenerator<string> {
  yield lineOf(source.facts);
  const tables = archivedTables.filter((name) => source.schema.has(name));
  let all = 0;
  for (const table of tables) {
    const columns = source.schema.get(table) ?? [];
    yield lineOf({ table, columns: columns.map(({ name }) => name), last_id: await source.lastId(table) });
    const lines = new RowLines(source, table, columns);
    let rows = 0;
    for await (const some of source.rows(table)) {
      const kept = some.flatMap((row) => lines.of(row) ?? []);
      rows += kept.length;
      if (kept.length > 0) yield kept.join('');
    }
    yield lineOf({ rows });
    onTable(table, rows);
    all += rows;
  }
  yield lineOf({ tables: tables.length, all_rows: all });
}

const lineOf = (value: object): string => `${JSON.stringify(value)}\n`;

class RowLines {
  readonly #source: ArchiveSource;
  readonly #name: string;
  readonly #table: ArchivedTable;
  readonly #columns: readonly Column[];

  constructor(source: ArchiveSource, name: string, columns: readonly Column[]) {
    this.#source = source;
    this.#name = name;
    this.#table = archivedTable(name) ?? {};
    this.#columns = columns;
  }

  /** Undefined for a row that is not exported. */
  of(row: StoredRow): string | undefined {
    const { sealed = [], isSealed, isLeft } = this.#table;
    if (isLeft?.(row)) return undefined;
    const secrets = isSealed && !isSealed(row) ? [] : sealed;
    return lineOf(this.#columns.map((column) => this.#cell(column, row, secrets.includes(column.name))));
  }

  #cell({ name, kind }: Column, row: StoredRow, isSecret: boolean): Cell {
    const value = row[name];
    if (value === null || value === undefined) return null;
    if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') };
    if (kind === 'integer' && Number.isSafeInteger(value)) return value as number;
    if (kind === 'real' && Number.isFinite(value)) return value as number;
    // Headgate never stores null characters, and PostgreSQL cannot store them.
    if (kind === 'text') return isSecret && value !== '' ? this.#secret(name, row) : String(value).replaceAll('\0', '');
    throw new StartFailure(`${this.#locate(name, row)} is not a number. Nothing was exported.`);
  }

  #secret(name: string, row: StoredRow): Cell {
    try {
      return { secret: this.#source.open(String(row[name])) };
    } catch {
      throw new StartFailure(
        `${this.#locate(name, row)} cannot be decrypted with the secret key. Nothing was exported.`,
      );
    }
  }

  #locate(column: string, row: StoredRow): string {
    return `Column ${column} of table ${this.#name}, row ${String(row['id'] ?? row['key'] ?? row['user_id'])}`;
  }
}
