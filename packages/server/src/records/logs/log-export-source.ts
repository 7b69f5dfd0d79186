import { byteOrderMark, csvCell, csvLine, type Log } from '@headgate/contract';
import { exportTexts, localTimeFormatter } from '../exports/export-format.ts';
import type { ExportJob } from '../exports/export-service.ts';
import type { ExportText } from '../exports/export-thread.ts';
import { type LogExportFormat, logColumns, type Sums, summedColumns } from './log-export-columns.ts';
import type { LogExportRepository } from './log-export-repository.ts';
import { columnIndex, type ExportedLog, toLogRow } from './log-export-row.ts';
import type { LogFilter } from './log-filter.ts';
import { presentLog, presentOwnLog } from './present-log.ts';
import type { Span } from './time-span.ts';

function logExportText(format: LogExportFormat, covered: Span): ExportText<ExportedLog> {
  return format.format === 'csv' ? new CsvText(format, covered) : new JsonLinesText(format);
}

type Tallied = { -readonly [Name in keyof Sums]: number };

/** One sum per type, because adding up top-ups and consumption would be meaningless. */
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
    for (const name of summedColumns) sum[name] += this.#read(log, name);
  }

  sums(): readonly Sums[] {
    return [...this.#sums.values()].sort((one, other) => one.type - other.type);
  }
}

// All names of the type are in `summed`.
const noneYet = Object.fromEntries(summedColumns.map((name) => [name, 0])) as unknown as Tallied;

class CsvText implements ExportText<ExportedLog> {
  readonly #columns: ReturnType<typeof logColumns>;
  readonly #format: LogExportFormat;
  readonly #covered: Span;
  readonly #tally = new Tally<ExportedLog>((log, name) => log[columnIndex[name]]);

  constructor(format: LogExportFormat, covered: Span) {
    this.#columns = logColumns(format);
    this.#format = format;
    this.#covered = covered;
  }

  get rows(): number {
    return this.#tally.rows;
  }

  head(): string {
    return byteOrderMark + csvLine(this.#columns.map(({ title }) => title));
  }

  lines(logs: readonly ExportedLog[]): string {
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
    const { say } = exportTexts(this.#format.language);
    const time = localTimeFormatter(this.#format.timeZone);
    const count = say('{count} of {total} rows')
      .replace('{count}', String(this.rows))
      .replace('{total}', String(total));
    return csvLine([say(word), `${time(this.#covered.from)} – ${time(this.#covered.to)}`, count]);
  }
}

class JsonLinesText implements ExportText<ExportedLog> {
  readonly #tally = new Tally<Log>((log, name) => log[name]);
  readonly #present: typeof presentLog;

  constructor({ isForAdmins }: LogExportFormat) {
    this.#present = isForAdmins ? presentLog : presentOwnLog;
  }

  get rows(): number {
    return this.#tally.rows;
  }

  head(): string {
    return '';
  }

  lines(logs: readonly ExportedLog[]): string {
    let text = '';
    for (const log of logs) {
      const shown = this.#present(toLogRow(log));
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

/** Input of the thread. */
export interface LogExportJob extends ExportJob {
  readonly filter: LogFilter;
  readonly format: LogExportFormat;
  /** Time range stated in the file. */
  readonly covered: Span;
}

interface LogExportSource {
  readonly total: number;
  readonly pages: AsyncIterable<readonly ExportedLog[]>;
  readonly text: ExportText<ExportedLog>;
}

/** Rows of a log export, and how they are written. */
export async function logExportSource(
  logs: LogExportRepository,
  { filter, format, covered }: Pick<LogExportJob, 'filter' | 'format' | 'covered'>,
): Promise<LogExportSource> {
  const plan = await logs.plan(filter);
  return {
    total: plan.total,
    pages: logs.pages(plan, format.format === 'csv' ? 'of events' : 'all'),
    text: logExportText(format, covered),
  };
}
