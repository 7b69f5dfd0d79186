import { ImportError } from '../import-error.ts';
import { type LogId, type LogPage, type LogRows, maxLogTextLength, type SourceRow } from './source.ts';
import { readText } from './source-values.ts';

/** LiteLLM's request table. Its rows have no numeric id, so logs are read in the order of their start times and ids. */
export interface SpendTable {
  /** Table name for use in SQL statements. */
  readonly named: string;
  /** Selected columns. */
  readonly list: string;
  readonly literal: (text: string) => string;
}

type Query = (sql: string) => Promise<readonly SourceRow[]>;

/** Other column types do not sort like their text. */
export const hasSpendColumns = (columns: ReadonlyMap<string, string>): boolean =>
  columns.get('startTime') === 'timestamp without time zone' &&
  ['text', 'character varying'].includes(columns.get('request_id') ?? '');

const place = 'logs."startTime", logs.request_id';
/** Such rows have no place in the order. LiteLLM does not create any. */
const isPlaced = 'logs."startTime" is not null and logs.request_id is not null';

export async function lastSpendLog(query: Query, { named }: Pick<SpendTable, 'named'>): Promise<LogId> {
  const [last] = await query(
    `select logs."startTime", logs.request_id from ${named} as logs where ${isPlaced}
      order by logs."startTime" desc, logs.request_id desc limit 1`,
  );
  return last ? readId(last) : 0;
}

export async function spendLogsPage(query: Query, table: SpendTable, page: LogPage): Promise<LogRows> {
  const { named, list, literal } = table;
  // There were no logs when the users were imported.
  if (page.upTo === 0) return { rows: [], last: undefined };
  const bounds = [
    isPlaced,
    `logs."startTime" >= timestamp '1970-01-01' + ${Math.trunc(page.since)} * interval '1 second'`,
    ...(page.after === 0 ? [] : [`(${place}) > ${valuesOf(page.after, literal)}`]),
    `(${place}) <= ${valuesOf(page.upTo, literal)}`,
  ];
  const rows = await query(
    `select ${list} from ${named} as logs where ${bounds.join(' and ')}
      order by logs."startTime", logs.request_id limit ${Math.trunc(page.limit)}`,
  );
  const last = rows.at(-1);
  return { rows, last: last && readId(last) };
}

function readId(row: SourceRow): LogId {
  const id = readText(row, 'request_id');
  if (id.length > maxLogTextLength)
    throw new ImportError('A spend log has an id that is too long to continue after it.');
  return `${readText(row, 'startTime')}\n${id}`;
}

function valuesOf(id: LogId, literal: SpendTable['literal']): string {
  const [time = '', ...rest] = String(id).split('\n');
  return `(${literal(time)}::timestamp, ${literal(rest.join('\n'))})`;
}
