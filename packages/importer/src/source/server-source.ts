import { setTimeout as delay } from 'node:timers/promises';
import { ImportError } from '../import-error.ts';
import {
  type ImportSource,
  type LogPage,
  type LogRows,
  longestLogText,
  longestText,
  mostRows,
  recognisedKind,
  type SourceContents,
  type SourceKind,
  type SourceRow,
  type SourceTable,
  sourceColumns,
  sourceTables,
} from './source.ts';
import { cannotBeRead, ofNeither } from './source-address.ts';
import { integerOf } from './source-values.ts';

/** What a server says of a column. */
export interface ServerColumn {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** The table as statements name it. */
  readonly named: string;
}

/** One connection to a database server, and what is said differently there. */
export interface SourceServer {
  /** As of one moment, and nothing can be written: not even by a view or a function that stands in place of a table. */
  begin(): Promise<void>;
  end(): Promise<void>;
  /** Of the tables that are found when they are named alone. */
  columns(): Promise<readonly ServerColumn[]>;
  ask(sql: string): Promise<readonly SourceRow[]>;
  quoted(name: string): string;
  /** A column as it is read: no more of a text than so many characters, so that the server cuts it before it is sent. */
  reading(column: string, type: string, longest: number): string;
  /** Whatever state it is in. */
  close(): Promise<void>;
}

interface Table {
  readonly named: string;
  /** The names of its columns, with the names of their types. */
  readonly columns: ReadonlyMap<string, string>;
}

/** A gateway's database on a server. */
export class ServerSource implements ImportSource {
  readonly kind: SourceKind;
  readonly place: string;
  readonly #server: SourceServer;
  readonly #tables: ReadonlyMap<string, Table>;

  private constructor(server: SourceServer, place: string, tables: ReadonlyMap<string, Table>) {
    const kind = recognisedKind((table) => new Set(tables.get(table)?.columns.keys()));
    if (!kind) throw ofNeither(place);
    this.kind = kind;
    this.place = place;
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
      throw cannotBeRead(place, error);
    }
  }

  contents(): Promise<SourceContents> {
    return this.#reading(async () => {
      const tables: Partial<Record<SourceTable, readonly SourceRow[]>> = {};
      for (const table of sourceTables) tables[table] = await this.#all(table);
      const logs = this.#tables.get('logs');
      const [last] = logs ? await this.#server.ask(`select max(id) as id from ${logs.named}`) : [];
      return { tables: tables as SourceContents['tables'], lastLogId: last ? integerOf(last, 'id') : 0 };
    });
  }

  /** Looks at so many logs, however old: only then is the time that it takes bounded, wherever the wanted ones begin. */
  async logs(page: LogPage): Promise<LogRows> {
    const logs = this.#tables.get('logs');
    if (!logs) return { rows: [], last: undefined };
    const [after, upTo, since, most] = [page.after, page.upTo, page.since, page.most].map(asNumber);
    return this.#reading(async () => {
      const [end] = await this.#server.ask(
        `select max(id) as id from (select id from ${logs.named} where id > ${after} and id <= ${upTo}
          order by id limit ${most}) as page`,
      );
      if (!end || end['id'] === null) return { rows: [], last: undefined };
      const last = integerOf(end, 'id');
      const rows = await this.#server.ask(
        `select ${this.#list('logs', longestLogText)} from ${logs.named}
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
    const list = this.#list(table, longestText);
    if (!there || list === '') return [];
    // By the column of the table, not by one of the same name that is read otherwise.
    const order = there.columns.has('id') ? ` order by ${there.named}.${this.#server.quoted('id')}` : '';
    const rows = await this.#server.ask(`select ${list} from ${there.named}${order} limit ${mostRows + 1}`);
    if (rows.length > mostRows) throw new ImportError(`${this.place} has more than ${mostRows} ${table}.`);
    return rows;
  }

  #list(table: keyof typeof sourceColumns, longest: number): string {
    const columns = this.#tables.get(table)?.columns ?? new Map<string, string>();
    return sourceColumns[table]
      .filter((column) => columns.has(column))
      .map((column) => {
        const quoted = this.#server.quoted(column);
        return `${this.#server.reading(quoted, columns.get(column) ?? '', longest)} as ${quoted}`;
      })
      .join(', ');
  }

  /** Whoever has not answered is asked nothing more: the next question would wait as long. */
  async #reading<T>(read: () => Promise<T>): Promise<T> {
    try {
      await this.#server.begin();
      const found = await read();
      await this.#server.end();
      return found;
    } catch (error) {
      await this.#server.close();
      throw cannotBeRead(this.place, error);
    }
  }
}

/** As a statement may hold it. */
function asNumber(value: number): string {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is no whole number.`);
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

/** Closes a connection; one that does not close within a second is destroyed. */
export async function closeSoon(closing: Promise<unknown>, destroy: () => void): Promise<void> {
  const closed = new AbortController();
  const ended = closing.catch(() => undefined).then(() => closed.abort());
  await Promise.race([ended, delay(closeTimeoutMs, undefined, { signal: closed.signal }).catch(() => undefined)]);
  destroy();
}
