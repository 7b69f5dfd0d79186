import { setTimeout as delay } from 'node:timers/promises';
import { ImportError } from '../import-error.ts';
import {
  detectKind,
  type ImportSource,
  type LogId,
  type LogPage,
  type LogRows,
  maxLogTextLength,
  maxRows,
  maxTextLength,
  type SourceContents,
  type SourceKind,
  type SourceRow,
  type SourceTable,
  sourceColumns,
  sourceTables,
} from './source.ts';
import { readError, unknownDatabase } from './source-errors.ts';
import { readInteger } from './source-values.ts';
import { hasSpendColumns, lastSpendLog, type SpendTable, spendLogsPage } from './spend-logs.ts';

/** Column metadata. */
export interface ServerColumn {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** Table name for use in SQL statements. */
  readonly named: string;
}

/** Connection to a database server, with its SQL dialect. */
export interface SourceServer {
  /** Starts a read-only snapshot transaction, so that not even a view or function can write. */
  begin(): Promise<void>;
  end(): Promise<void>;
  /** Columns of the tables that unqualified names resolve to. */
  columns(): Promise<readonly ServerColumn[]>;
  query(sql: string): Promise<readonly SourceRow[]>;
  /** SQL literal of a text; undefined on servers that LiteLLM does not support. */
  readonly literal?: ((text: string) => string) | undefined;
  quote(name: string): string;
  /** SQL expression for a column. Text is truncated by the server before it is sent. */
  selectExpression(column: string, type: string, longest: number): string;
  /** Works in any connection state. */
  close(): Promise<void>;
}

interface Table {
  readonly named: string;
  /** Type names by column name. */
  readonly columns: ReadonlyMap<string, string>;
}

/** A gateway's database on a server. */
export class ServerSource implements ImportSource {
  readonly kind: SourceKind;
  readonly location: string;
  readonly #server: SourceServer;
  readonly #tables: ReadonlyMap<string, Table>;

  private constructor(server: SourceServer, place: string, tables: ReadonlyMap<string, Table>) {
    const kind = detectKind((table) => new Set(tables.get(table)?.columns.keys()));
    if (!kind) throw unknownDatabase(place);
    this.kind = kind;
    this.location = place;
    this.#server = server;
    this.#tables = tables;
  }

  static async open(place: string, connect: () => Promise<SourceServer>): Promise<ServerSource> {
    let server: SourceServer | undefined;
    try {
      server = await connect();
      await server.begin();
      const tables = tablesOf(await server.columns());
      await server.end();
      return new ServerSource(server, place, tables);
    } catch (error) {
      await server?.close();
      throw readError(place, error);
    }
  }

  contents(): Promise<SourceContents> {
    return this.#reading(async () => {
      const tables: Partial<Record<SourceTable, readonly SourceRow[]>> = {};
      for (const table of sourceTables) tables[table] = await this.#all(table);
      return { tables: tables as SourceContents['tables'], lastLogId: await this.#lastLogId() };
    });
  }

  logs(page: LogPage): Promise<LogRows> {
    return this.kind === 'litellm' ? this.#spendLogs(page) : this.#numberedLogs(page);
  }

  async #lastLogId(): Promise<LogId> {
    const query = (sql: string) => this.#server.query(sql);
    if (this.kind === 'litellm') {
      const spend = this.#spendTable();
      return spend ? lastSpendLog(query, spend) : 0;
    }
    const logs = this.#tables.get('logs');
    const [last] = logs ? await query(`select max(id) as id from ${logs.named}`) : [];
    return last ? readInteger(last, 'id') : 0;
  }

  #spendTable(): SpendTable | undefined {
    const [table, { literal }] = [this.#tables.get('LiteLLM_SpendLogs'), this.#server];
    if (!table || !literal || !hasSpendColumns(table.columns)) return undefined;
    return { named: table.named, list: this.#list('LiteLLM_SpendLogs', maxLogTextLength), literal };
  }

  async #spendLogs(page: LogPage): Promise<LogRows> {
    const spend = this.#spendTable();
    if (spend) return this.#reading(() => spendLogsPage((sql) => this.#server.query(sql), spend, page));
    throw new ImportError(`${this.location} has no table of spend logs that can be read.`);
  }

  /** Reads a bounded number of logs, including ones that are too old, so that each query takes bounded time. */
  async #numberedLogs(page: LogPage): Promise<LogRows> {
    const logs = this.#tables.get('logs');
    if (!logs) return { rows: [], last: undefined };
    const [after, upTo, since, most] = [page.after, page.upTo, page.since, page.limit].map(asNumber);
    return this.#reading(async () => {
      const [end] = await this.#server.query(
        `select max(id) as id from (select id from ${logs.named} where id > ${after} and id <= ${upTo}
          order by id limit ${most}) as page`,
      );
      if (!end || end['id'] === null) return { rows: [], last: undefined };
      const last = readInteger(end, 'id');
      const rows = await this.#server.query(
        `select ${this.#list('logs', maxLogTextLength)} from ${logs.named}
          where id > ${after} and id <= ${asNumber(last)} and created_at >= ${since} order by id`,
      );
      return { rows, last };
    });
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  async #all(table: SourceTable): Promise<readonly SourceRow[]> {
    const there = this.#tables.get(table);
    const list = this.#list(table, maxTextLength);
    if (!there || list === '') return [];
    // Orders by the table's own `id`, not by the converted column with the same alias.
    const order = there.columns.has('id') ? ` order by ${there.named}.${this.#server.quote('id')}` : '';
    const rows = await this.#server.query(`select ${list} from ${there.named}${order} limit ${maxRows + 1}`);
    if (rows.length > maxRows) throw new ImportError(`${this.location} has more than ${maxRows} ${table}.`);
    return rows;
  }

  #list(table: keyof typeof sourceColumns, longest: number): string {
    const columns = this.#tables.get(table)?.columns ?? new Map<string, string>();
    return sourceColumns[table]
      .filter((column) => columns.has(column))
      .map((column) => {
        const quoted = this.#server.quote(column);
        return `${this.#server.selectExpression(quoted, columns.get(column) ?? '', longest)} as ${quoted}`;
      })
      .join(', ');
  }

  /** Closes the connection after any error. A rollback would hang on an unresponsive server. */
  async #reading<T>(read: () => Promise<T>): Promise<T> {
    try {
      await this.#server.begin();
      const found = await read();
      await this.#server.end();
      return found;
    } catch (error) {
      await this.#server.close();
      throw readError(this.location, error);
    }
  }
}

/** Formats a number for a statement. */
function asNumber(value: LogId): string {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not an integer.`);
  return String(value);
}

function tablesOf(rows: readonly ServerColumn[]): ReadonlyMap<string, Table> {
  const tables = new Map<string, { named: string; columns: Map<string, string> }>();
  for (const { table, column, type, named } of rows) {
    const found = tables.get(table) ?? { named, columns: new Map<string, string>() };
    found.columns.set(column, type.toLowerCase());
    tables.set(table, found);
  }
  return tables;
}

const closeTimeoutMs = 1000;

/** Closes a connection, and destroys it if that takes longer than a second. */
export async function closeWithTimeout(closing: Promise<unknown>, destroy: () => void): Promise<void> {
  const closed = new AbortController();
  const ended = closing.catch(() => undefined).then(() => closed.abort());
  await Promise.race([ended, delay(closeTimeoutMs, undefined, { signal: closed.signal }).catch(() => undefined)]);
  destroy();
}
