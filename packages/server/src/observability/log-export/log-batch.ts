import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { LogRow } from '../../platform/db/rows.ts';
import { presentLog } from '../../records/logs/present-log.ts';

/** Logs of one hour, sent together. */
export interface LogBatch {
  /** Depends only on the first log, so that a repeated batch replaces its file. */
  readonly key: string;
  readonly firstId: number;
  readonly lastId: number;
  readonly rows: readonly LogRow[];
}

const secondsPerHour = 3600;
/** Last second of the year 9999. Logs with later times, which imports may contain, go to the file of its last hour. */
const lastSecond = 253_402_300_799;
const idDigits = 12;

/** The logs up to the end of the first log's hour. Undefined without logs. */
export function firstBatch(rows: readonly LogRow[]): LogBatch | undefined {
  const [first] = rows;
  if (!first) return undefined;
  const hourOf = ({ created_at }: LogRow) => Math.floor(Math.min(Math.max(created_at, 0), lastSecond) / secondsPerHour);
  const end = rows.findIndex((row) => hourOf(row) !== hourOf(first));
  const some = end < 0 ? rows : rows.slice(0, end);
  const [day = '', hour = ''] = new Date(hourOf(first) * secondsPerHour * 1000).toISOString().split(/[T:]/);
  return {
    key: `logs/dt=${day}/hour=${hour}/${String(first.id).padStart(idDigits, '0')}.ndjson.gz`,
    firstId: first.id,
    lastId: some.at(-1)?.id ?? first.id,
    rows: some,
  };
}

/** Half surrogate pairs are replaced, because many JSON parsers reject them, and with them the whole batch. */
function wellFormedJson(value: object): string {
  const text = JSON.stringify(value);
  if (!text.includes('\\ud')) return text;
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? each.toWellFormed() : each));
}

/** One JSON object per line, as in the log list of the API. */
export const ndjsonOf = ({ rows }: Pick<LogBatch, 'rows'>): string =>
  rows
    .map((row) => {
      const { channel_name: _name, ...log } = presentLog(row);
      return `${wellFormedJson(log)}\n`;
    })
    .join('');

const compress = promisify(gzip);

export const compressBatch = (batch: Pick<LogBatch, 'rows'>): Promise<Buffer> => compress(ndjsonOf(batch));
