import { parseJson } from '@headgate/dialects';
import { StartFailure } from '../../platform/errors/start-failure.ts';
import {
  type ArchiveInfo,
  archiveEndSchema,
  archiveInfoSchema,
  type Cell,
  type Column,
  isValidCell,
  type TableHead,
  tableEndSchema,
  tableHeadSchema,
} from './archive-contents.ts';
import { archivedTable, archivedTables } from './archived-tables.ts';

export type ArchivePart =
  | { readonly kind: 'facts'; readonly facts: ArchiveInfo }
  | { readonly kind: 'table'; readonly head: TableHead; readonly columns: readonly Column[] }
  | { readonly kind: 'rows'; readonly rows: readonly (readonly Cell[])[] }
  | { readonly kind: 'table end'; readonly rows: number }
  | { readonly kind: 'end'; readonly rows: number };

/** Columns of every table after a migration; undefined for an unknown migration. */
export type SchemaAt = (migration: string) => Promise<ReadonlyMap<string, readonly Column[]> | undefined>;

/** Parses the lines of a file and validates each against the schema. */
export async function* parseArchiveParts(lines: AsyncIterable<readonly string[]>, schemaAt: SchemaAt) {
  const reading = new PartReader(schemaAt);
  for await (const some of lines) yield* reading.read(some);
  reading.expectEnd();
}

class PartReader {
  readonly #schemaAt: SchemaAt;
  #schema: ReadonlyMap<string, readonly Column[]> | undefined;
  /** Columns of the current table. */
  #columns: readonly Column[] | undefined;
  #table = '';
  #rows = 0;
  #allRows = 0;
  #isOver = false;
  readonly #seen = new Set<string>();

  constructor(schemaAt: SchemaAt) {
    this.#schemaAt = schemaAt;
  }

  async *read(lines: readonly string[]): AsyncGenerator<ArchivePart> {
    let rows: (readonly Cell[])[] = [];
    for (const line of lines) {
      if (this.#columns && line.startsWith('[')) {
        rows.push(this.#row(line, this.#columns));
        continue;
      }
      if (rows.length > 0) yield { kind: 'rows', rows };
      rows = [];
      yield await this.#part(line);
    }
    if (rows.length > 0) yield { kind: 'rows', rows };
  }

  expectEnd(): void {
    if (!this.#isOver) throw damagedContentsError('it is incomplete');
  }

  async #part(line: string): Promise<ArchivePart> {
    const value = parseJson(line);
    if (this.#isOver) throw damagedContentsError('it has data after its end');
    if (!this.#schema) return this.#begin(value);
    if (this.#columns) return this.#endTable(value);
    const end = archiveEndSchema.safeParse(value);
    return end.success ? this.#end(end.data) : this.#beginTable(value, this.#schema);
  }

  async #begin(value: unknown): Promise<ArchivePart> {
    const { data: facts } = archiveInfoSchema.safeParse(value);
    if (!facts) throw damagedContentsError('its first lines are invalid');
    this.#schema = await this.#schemaAt(facts.migration);
    if (this.#schema) return { kind: 'facts', facts };
    throw damagedContentsError(`it was created by the newer Headgate ${facts.headgate} (migration ${facts.migration})`);
  }

  #beginTable(value: unknown, schema: ReadonlyMap<string, readonly Column[]>): ArchivePart {
    const { data: head } = tableHeadSchema.safeParse(value);
    const stored = head && schema.get(head.table);
    if (!head || !stored || !archivedTable(head.table) || this.#seen.has(head.table)) {
      throw damagedContentsError('it has an unknown or duplicate table');
    }
    const columns = head.columns.flatMap((name) => stored.find((column) => column.name === name) ?? []);
    if (new Set(columns).size !== stored.length || head.columns.length !== stored.length) {
      throw damagedContentsError(`the columns of table ${head.table} differ from this database`);
    }
    this.#seen.add(head.table);
    this.#table = head.table;
    this.#columns = columns;
    this.#rows = 0;
    return { kind: 'table', head, columns };
  }

  #row(line: string, columns: readonly Column[]): readonly Cell[] {
    const row = parseJson(line);
    const isRow = Array.isArray(row) && row.length === columns.length;
    if (!isRow || !columns.every((column, index) => isValidCell(column, row[index]))) {
      throw damagedContentsError(`row ${this.#rows + 1} of table ${this.#table} is invalid`);
    }
    this.#rows += 1;
    return row;
  }

  #endTable(value: unknown): ArchivePart {
    if (tableEndSchema.safeParse(value).data?.rows !== this.#rows) {
      throw damagedContentsError(`table ${this.#table} does not have the stated number of rows`);
    }
    this.#columns = undefined;
    this.#allRows += this.#rows;
    return { kind: 'table end', rows: this.#rows };
  }

  #end({ tables, all_rows }: { readonly tables: number; readonly all_rows: number }): ArchivePart {
    const missing = archivedTables.filter((name) => this.#schema?.has(name) && !this.#seen.has(name));
    if (tables !== this.#seen.size || all_rows !== this.#allRows || missing.length > 0) {
      throw damagedContentsError('tables are missing');
    }
    this.#isOver = true;
    return { kind: 'end', rows: all_rows };
  }
}

/** Longer than any row; limits the memory that a file can use. */
const maxLineLength = 256 * 1024 * 1024;
const newLine = 0x0a;

const damagedContentsError = (detail: string): StartFailure =>
  new StartFailure(`The file cannot be restored: ${detail}. Nothing was changed.`);

/** Yields the lines of a text in groups; every line ends with a line break. */
export async function* splitLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const some of bytes) {
    const chunk = Buffer.from(some.buffer, some.byteOffset, some.byteLength);
    const end = chunk.lastIndexOf(newLine);
    length += end === -1 ? chunk.length : 0;
    if (length > maxLineLength) throw damagedContentsError('a line is too long');
    if (end === -1) {
      parts.push(chunk);
      continue;
    }
    const whole = Buffer.concat([...parts, chunk.subarray(0, end)]).toString('utf8');
    const rest = chunk.subarray(end + 1);
    parts = rest.length > 0 ? [rest] : [];
    length = rest.length;
    yield whole.split('\n');
  }
  if (length > 0) throw damagedContentsError('it is incomplete');
}
