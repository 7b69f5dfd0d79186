import { byteOrderMark, csvLine, type Endpoint } from '@headgate/contract';
import { type ExportColumn, type ExportFileFormat, exportTexts } from './export-format.ts';
import { type ExportText, writeExport } from './export-thread.ts';

/** Rows that match a filter, or rows with these ids. */
export type ListSelection<Filter> = { readonly filter: Filter } | { readonly ids: readonly number[] };

/** Reads rows of a list for an export. */
export interface ListSource<Row> {
  /** Ids below `below`, in descending order. */
  ids(below: number, max: number): Promise<number[]>;
  /** Rows with these ids, in descending order. Deleted rows are missing. */
  rows(ids: readonly number[]): Promise<Row[]>;
}

/** Definition of an exportable list. */
interface ListExport<Row> {
  readonly source: ListSource<Row>;
  /** Schema of a JSON line; other fields are omitted. */
  readonly line: Endpoint['reply'];
  readonly columns: (format: ExportFileFormat) => readonly ExportColumn<Row>[];
}

/** Writes a list inside an export thread. */
export type ListWriter = (format: ExportFileFormat, backend: number | undefined) => Promise<void>;

/** Ids are small, so a page can contain many of them. */
const idsPerPage = 10_000;
const rowsPerPage = 500;

export const listWriter =
  <Row>({ source, line, columns }: ListExport<Row>): ListWriter =>
  async (format, backend) => {
    const ids = await idsOf(source);
    const text = listExportText<Row>(format, line, columns(format));
    await writeExport({ total: ids.length, backend, pages: pagesOf(source, ids), text });
  };

/**
 * Ids of all current rows, newest first. They determine the contents of the file: rows that stop matching stay in it,
 * rows created later are excluded, and no row occurs twice.
 */
async function idsOf(source: ListSource<unknown>): Promise<readonly number[]> {
  const ids: number[] = [];
  let below = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const page = await source.ids(below, idsPerPage);
    for (const id of page) ids.push(id);
    if (page.length < idsPerPage) return ids;
    below = page.at(-1) ?? 0;
  }
}

/** Reads page by page, so that each query is short. */
async function* pagesOf<Row>(source: ListSource<Row>, ids: readonly number[]): AsyncGenerator<readonly Row[]> {
  for (let start = 0; start < ids.length; start += rowsPerPage) {
    yield await source.rows(ids.slice(start, start + rowsPerPage));
  }
}

type Line = Endpoint['reply'];

/** Text of an exported list. The last line confirms that the file is complete. */
const listExportText = <Row>(
  format: ExportFileFormat,
  line: Line,
  columns: readonly ExportColumn<Row>[],
): ExportText<Row> => (format.format === 'csv' ? new CsvText(format, columns) : new JsonLinesText<Row>(line));

class CsvText<Row> implements ExportText<Row> {
  readonly #format: ExportFileFormat;
  readonly #columns: readonly ExportColumn<Row>[];
  rows = 0;

  constructor(format: ExportFileFormat, columns: readonly ExportColumn<Row>[]) {
    this.#format = format;
    this.#columns = columns;
  }

  head(): string {
    return byteOrderMark + csvLine(this.#columns.map(({ title }) => title));
  }

  lines(rows: readonly Row[]): string {
    this.rows += rows.length;
    return rows.map((row) => csvLine(this.#columns.map(({ cell }) => cell(row)))).join('');
  }

  end(): string {
    return this.#closing('Complete', this.rows);
  }

  cut(total: number): string {
    return this.#closing('Incomplete', total);
  }

  #closing(word: 'Complete' | 'Incomplete', total: number): string {
    const { say } = exportTexts(this.#format.language);
    const count = say('{count} of {total} rows')
      .replace('{count}', String(this.rows))
      .replace('{total}', String(total));
    return csvLine([say(word), count]);
  }
}

class JsonLinesText<Row> implements ExportText<Row> {
  readonly #line: Line;
  rows = 0;

  constructor(line: Line) {
    this.#line = line;
  }

  head(): string {
    return '';
  }

  lines(rows: readonly Row[]): string {
    this.rows += rows.length;
    return rows.map((row) => `${JSON.stringify(this.#line.parse(row))}\n`).join('');
  }

  end(): string {
    return `${JSON.stringify({ complete: true, rows: this.rows })}\n`;
  }

  cut(total: number): string {
    return `${JSON.stringify({ complete: false, rows: this.rows, total })}\n`;
  }
}
