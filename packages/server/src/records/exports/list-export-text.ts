import { byteOrderMark, csvLine, type Endpoint } from '@headgate/contract';
import type { ExportColumn, ExportFileFormat } from './export-format.ts';
import { exportLanguage } from './export-labels.ts';
import type { ExportText } from './export-thread.ts';

type Line = Endpoint['reply'];

/** Text of an exported list. The last line confirms that the file is complete. */
export const listExportText = <Row>(
  manner: ExportFileFormat,
  line: Line,
  columns: readonly ExportColumn<Row>[],
): ExportText<Row> => (manner.format === 'csv' ? new CsvText(manner, columns) : new JsonLinesText<Row>(line));

class CsvText<Row> implements ExportText<Row> {
  readonly #manner: ExportFileFormat;
  readonly #columns: readonly ExportColumn<Row>[];
  rows = 0;

  constructor(manner: ExportFileFormat, columns: readonly ExportColumn<Row>[]) {
    this.#manner = manner;
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
    const { say } = exportLanguage(this.#manner.language);
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
