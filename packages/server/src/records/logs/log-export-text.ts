import { byteOrderMark, csvCell, csvLine, type Log } from '@headgate/contract';
import type { ExportText } from '../exports/export-thread.ts';
import { exportLanguage } from '../exports/export-words.ts';
import { timeWriter } from '../exports/local-time.ts';
import { type LogExportManner, logColumns, type Sums, summed } from './log-export-columns.ts';
import { at, logOf, type ReadLog } from './log-export-row.ts';
import { presentLog, presentOwnLog } from './present-log.ts';
import type { Span } from './time-span.ts';

export function logExportText(manner: LogExportManner, covered: Span): ExportText<ReadLog> {
  return manner.format === 'csv' ? new CsvText(manner, covered) : new JsonLinesText(manner);
}

type Tallied = { -readonly [Name in keyof Sums]: number };

/** One sum per type, because adding up top-ups and consumption is meaningless. */
class Tally<Row> {
  readonly #read: (log: Row, name: keyof Sums) => number;
  readonly #sums = new Map<number, Tallied>();
  rows = 0;

  constructor(read: (log: Row, name: keyof Sums) => number) {
    this.#read = read;
  }

  add(log: Row): void {
    this.rows += 1;
    const type = this.#read(log, 'type');
    let sum = this.#sums.get(type);
    if (!sum) {
      sum = { ...noneYet, type };
      this.#sums.set(type, sum);
    }
    for (const name of summed) sum[name] += this.#read(log, name);
  }

  sums(): readonly Sums[] {
    return [...this.#sums.values()].sort((one, other) => one.type - other.type);
  }
}

// All names of the type are in `summed`.
const noneYet = Object.fromEntries(summed.map((name) => [name, 0])) as unknown as Tallied;

class CsvText implements ExportText<ReadLog> {
  readonly #columns: ReturnType<typeof logColumns>;
  readonly #manner: LogExportManner;
  readonly #covered: Span;
  readonly #tally = new Tally<ReadLog>((log, name) => log[at[name]]);

  constructor(manner: LogExportManner, covered: Span) {
    this.#columns = logColumns(manner);
    this.#manner = manner;
    this.#covered = covered;
  }

  get rows(): number {
    return this.#tally.rows;
  }

  head(): string {
    return byteOrderMark + csvLine(this.#columns.map(({ title }) => title));
  }

  lines(logs: readonly ReadLog[]): string {
    const columns = this.#columns;
    const cells = new Array<string>(columns.length);
    let text = '';
    for (const log of logs) {
      this.#tally.add(log);
      for (let index = 0; index < cells.length; index += 1) cells[index] = csvCell(columns[index]?.cell(log) ?? '');
      text += `${cells.join(',')}\r\n`;
    }
    return text;
  }

  end(): string {
    const sums = this.#tally.sums().map((sum) => csvLine(this.#columns.map((column) => column.sum(sum))));
    return sums.join('') + this.#closing('Export range', this.rows);
  }

  cut(total: number): string {
    return this.#closing('Incomplete', total);
  }

  #closing(word: 'Export range' | 'Incomplete', total: number): string {
    const { say } = exportLanguage(this.#manner.language);
    const time = timeWriter(this.#manner.timeZone);
    const count = say('{count} of {total} rows')
      .replace('{count}', String(this.rows))
      .replace('{total}', String(total));
    return csvLine([say(word), `${time(this.#covered.from)} – ${time(this.#covered.to)}`, count]);
  }
}

class JsonLinesText implements ExportText<ReadLog> {
  readonly #tally = new Tally<Log>((log, name) => log[name]);
  readonly #present: typeof presentLog;

  constructor({ isForAdmins }: LogExportManner) {
    this.#present = isForAdmins ? presentLog : presentOwnLog;
  }

  get rows(): number {
    return this.#tally.rows;
  }

  head(): string {
    return '';
  }

  lines(logs: readonly ReadLog[]): string {
    let text = '';
    for (const log of logs) {
      const shown = this.#present(logOf(log));
      this.#tally.add(shown);
      text += `${JSON.stringify(shown)}\n`;
    }
    return text;
  }

  end(): string {
    return `${JSON.stringify({ complete: true, rows: this.rows, sums: this.#tally.sums() })}\n`;
  }

  cut(total: number): string {
    return `${JSON.stringify({ complete: false, rows: this.rows, total })}\n`;
  }
}
