import { createRequire } from 'node:module';
import { StartFailure } from '../start-failure.ts';
import { mysqlAddress } from './mysql-address.ts';
import {
  type ImportSource,
  type LogPage,
  type LogRows,
  longestLogText,
  longestText,
  recognisedKind,
  type SourceContents,
  type SourceKind,
  type SourceRow,
  type SourceTable,
  sourceColumns,
  sourceTables,
} from './source.ts';
import { cannotBeRead } from './source-address.ts';
import { integerOf, withoutNulls } from './source-values.ts';

/** What is used of the driver, which is loaded by those alone who read such a source. */
interface Connection {
  query(question: {
    readonly sql: string;
    readonly values?: readonly number[];
    readonly timeout?: number;
  }): Promise<readonly [answer: unknown, ...unknown[]]>;
  on(event: 'error', hear: () => void): void;
  end(): Promise<void>;
  destroy(): void;
}
const { createConnection } = createRequire(import.meta.url)('mysql2/promise') as {
  readonly createConnection: (settings: object) => Promise<Connection>;
};

const connectMs = 10_000;
/** One statement; who waits for what it has locked waits no longer than that. */
const statementSeconds = 60;
const lockSeconds = 5;
/** How much later than by its own limit a server is given up as silent. */
const graceMs = 5000;

/** MySQL and MariaDB call the limit of a statement differently, and old ones have none. */
const limits = [
  `set session lock_wait_timeout = ${lockSeconds}`,
  `set session max_execution_time = ${statementSeconds * 1000}`,
  `set session max_statement_time = ${statementSeconds}`,
];

/** Types by their names there whose values are short. */
const shortTypes: ReadonlySet<string> = new Set([
  ...['bigint', 'int', 'mediumint', 'smallint', 'tinyint', 'float', 'double', 'decimal'],
  ...['datetime', 'timestamp', 'date'],
]);

/** The names of a table's columns, with the names of their types. */
type Columns = ReadonlyMap<string, string>;

/** A gateway's database on a MySQL or MariaDB server. */
export class MysqlSourceRepository implements ImportSource {
  readonly kind: SourceKind;
  readonly place: string;
  readonly #connection: Connection;
  readonly #tables: ReadonlyMap<string, Columns>;

  private constructor(connection: Connection, place: string, tables: ReadonlyMap<string, Columns>) {
    const kind = recognisedKind((table) => new Set(tables.get(table)?.keys()));
    if (!kind) {
      throw new StartFailure(`${place} is a database of neither One API nor new-api, or its tables may not be read.`);
    }
    this.kind = kind;
    this.place = place;
    this.#connection = connection;
    this.#tables = tables;
  }

  static async open(from: string): Promise<MysqlSourceRepository> {
    const { place, ...address } = mysqlAddress(from);
    let connection: Connection | undefined;
    try {
      connection = await createConnection({
        ...address,
        connectTimeout: connectMs,
        charset: 'utf8mb4',
        // Numbers that are not exact, and times, are texts.
        supportBigNumbers: true,
        dateStrings: true,
        jsonStrings: true,
      });
      // One that breaks while nothing is asked would end the process; the next question fails, which is enough.
      connection.on('error', () => undefined);
      for (const limit of limits) await connection.query({ sql: limit }).catch(() => undefined);
      const open = connection;
      const tables = await reading(open, () => tablesOf(open));
      return new MysqlSourceRepository(connection, place, tables);
    } catch (error) {
      connection?.destroy();
      throw cannotBeRead(place, error);
    }
  }

  contents(): Promise<SourceContents> {
    return this.#reading(async () => {
      const tables: Partial<Record<SourceTable, readonly SourceRow[]>> = {};
      for (const table of sourceTables) tables[table] = await this.#all(table);
      const [last] = this.#tables.has('logs') ? await this.#ask('select max(id) as id from logs') : [];
      return { tables: tables as SourceContents['tables'], lastLogId: last ? integerOf(last, 'id') : 0 };
    });
  }

  /** Looks at so many logs, however old: only then is the time that it takes bounded, wherever the wanted ones begin. */
  logs({ after, upTo, since, most }: LogPage): Promise<LogRows> {
    if (!this.#tables.has('logs')) return Promise.resolve({ rows: [], last: undefined });
    return this.#reading(async () => {
      const [end] = await this.#ask(
        `select max(id) as id from (select id from logs where id > ? and id <= ? order by id limit ?) as page`,
        [after, upTo, most],
      );
      if (!end || end['id'] === null) return { rows: [], last: undefined };
      const last = integerOf(end, 'id');
      const rows = await this.#ask(
        `select ${this.#list('logs', longestLogText)} from logs
          where id > ? and id <= ? and created_at >= ? order by id`,
        [after, last, since],
      );
      return { rows, last };
    });
  }

  async close(): Promise<void> {
    await this.#connection.end().catch(() => this.#connection.destroy());
  }

  async #all(table: SourceTable): Promise<readonly SourceRow[]> {
    const columns = this.#tables.get(table);
    if (!columns) return [];
    const order = columns.has('id') ? ` order by \`${table}\`.id` : '';
    return this.#ask(`select ${this.#list(table, longestText)} from \`${table}\`${order}`);
  }

  #list(table: keyof typeof sourceColumns, longest: number): string {
    const columns = this.#tables.get(table) ?? new Map();
    return sourceColumns[table]
      .filter((column) => columns.has(column))
      .map((column) =>
        shortTypes.has(columns.get(column) ?? '')
          ? `\`${column}\``
          : `left(convert(\`${column}\` using utf8mb4), ${longest + 1}) as \`${column}\``,
      )
      .join(', ');
  }

  #ask(sql: string, values: readonly number[] = []): Promise<readonly SourceRow[]> {
    return asked(this.#connection, sql, values);
  }

  async #reading<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await reading(this.#connection, read);
    } catch (error) {
      throw cannotBeRead(this.place, error);
    }
  }
}

async function asked(connection: Connection, sql: string, values: readonly number[]): Promise<readonly SourceRow[]> {
  const [rows] = await connection.query({ sql, values, timeout: statementSeconds * 1000 + graceMs });
  for (const row of rows as Record<string, unknown>[]) {
    for (const column in row) row[column] = withoutNulls(row[column]);
  }
  return rows as SourceRow[];
}

/** As of one moment, and nothing can be written: not even by a view or a function that stands in place of a table. */
async function reading<T>(connection: Connection, read: () => Promise<T>): Promise<T> {
  await connection.query({ sql: 'set transaction isolation level repeatable read' });
  await connection.query({ sql: 'start transaction with consistent snapshot, read only' });
  try {
    return await read();
  } finally {
    // A connection that is broken has nothing to end.
    await connection.query({ sql: 'rollback' }).catch(() => undefined);
  }
}

/** Names of its own for the columns: servers differ in the case in which they give theirs. */
async function tablesOf(connection: Connection): Promise<ReadonlyMap<string, Columns>> {
  const rows = await asked(
    connection,
    `select table_name as in_table, column_name as named, data_type as of_type
      from information_schema.columns where table_schema = database()`,
    [],
  );
  const tables = new Map<string, Map<string, string>>();
  for (const { in_table, named, of_type } of rows) {
    const columns = tables.get(String(in_table)) ?? new Map<string, string>();
    tables.set(String(in_table), columns.set(String(named), String(of_type).toLowerCase()));
  }
  return tables;
}
