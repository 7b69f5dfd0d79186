import pg from 'pg';
import { StartFailure } from '../start-failure.ts';
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
import { cannotBeRead, placeOf } from './source-address.ts';
import { asWhole, integerOf } from './source-values.ts';

const connectMs = 10_000;
/** One statement; who waits for what it has locked waits no longer than that. */
const statementMs = 60_000;
const lockMs = 5000;
/** How much later than by its own limit a server is given up as silent. */
const graceMs = 5000;

/** As of one moment, and nothing can be written: not even by a view or a function that stands in place of a table. */
const beginning = `begin transaction isolation level repeatable read read only;
  set local statement_timeout = ${statementMs}; set local lock_timeout = ${lockMs};
  set local idle_in_transaction_session_timeout = ${statementMs}`;

const { BOOL, FLOAT4, FLOAT8, INT2, INT4, INT8 } = pg.types.builtins;
/** All other values are texts, as the server writes them. */
const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [BOOL, (text) => text === 't'],
  [FLOAT4, Number],
  [FLOAT8, Number],
  [INT2, Number],
  [INT4, Number],
  [INT8, (text) => asWhole(BigInt(text))],
]);

/** Types by their names there whose values are short. */
const shortTypes: ReadonlySet<string> = new Set([
  ...['bigint', 'integer', 'smallint', 'boolean', 'real', 'double precision'],
  ...['timestamp with time zone', 'timestamp without time zone'],
]);

/** The names of a table's columns, with the names of their types. */
type Columns = ReadonlyMap<string, string>;

/** A gateway's database on a PostgreSQL server. */
export class PostgresSourceRepository implements ImportSource {
  readonly kind: SourceKind;
  readonly place: string;
  readonly #client: pg.Client;
  readonly #tables: ReadonlyMap<string, Columns>;

  private constructor(client: pg.Client, place: string, tables: ReadonlyMap<string, Columns>) {
    const kind = recognisedKind((table) => new Set(tables.get(table)?.keys()));
    if (!kind) {
      throw new StartFailure(`${place} is a database of neither One API nor new-api, or its tables may not be read.`);
    }
    this.kind = kind;
    this.place = place;
    this.#client = client;
    this.#tables = tables;
  }

  static async open(address: string): Promise<PostgresSourceRepository> {
    const place = placeOf(address, 'PostgreSQL');
    const client = new pg.Client({
      connectionString: address,
      connectionTimeoutMillis: connectMs,
      query_timeout: statementMs + graceMs,
      keepAlive: true,
      application_name: 'headgate import',
      types: { getTypeParser: (oid: number) => parsers.get(oid) ?? String },
    });
    // One that breaks while nothing is asked would end the process; the next question fails, which is enough.
    client.on('error', () => undefined);
    try {
      await client.connect();
      const tables = await reading(client, () => tablesOf(client));
      return new PostgresSourceRepository(client, place, tables);
    } catch (error) {
      await ended(client);
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
        `select max(id) as id from (select id from logs where id > $1::bigint and id <= $2::bigint
          order by id limit $3::bigint) as page`,
        [after, upTo, most],
      );
      if (!end || end['id'] === null) return { rows: [], last: undefined };
      const rows = await this.#ask(
        `select ${this.#list('logs', longestLogText)} from logs
          where id > $1::bigint and id <= $2::bigint and created_at >= $3::bigint order by id`,
        [after, end['id'], since],
      );
      return { rows, last: integerOf(end, 'id') };
    });
  }

  close(): Promise<void> {
    return ended(this.#client);
  }

  async #all(table: SourceTable): Promise<readonly SourceRow[]> {
    const columns = this.#tables.get(table);
    if (!columns) return [];
    const order = columns.has('id') ? ' order by id' : '';
    return this.#ask(`select ${this.#list(table, longestText)} from "${table}"${order}`);
  }

  #list(table: keyof typeof sourceColumns, longest: number): string {
    const columns = this.#tables.get(table) ?? new Map();
    return sourceColumns[table]
      .filter((column) => columns.has(column))
      .map((column) =>
        shortTypes.has(columns.get(column) ?? '')
          ? `"${column}"`
          : `left("${column}"::text, ${longest + 1}) as "${column}"`,
      )
      .join(', ');
  }

  async #ask(text: string, values: readonly unknown[] = []): Promise<readonly SourceRow[]> {
    return (await this.#client.query<SourceRow>(text, [...values])).rows;
  }

  async #reading<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await reading(this.#client, read);
    } catch (error) {
      throw cannotBeRead(this.place, error);
    }
  }
}

async function reading<T>(client: pg.Client, read: () => Promise<T>): Promise<T> {
  await client.query(beginning);
  try {
    return await read();
  } finally {
    // A connection that is broken has nothing to end.
    await client.query('rollback').catch(() => undefined);
  }
}

/** Of the schema in which tables are found that are named without one. */
async function tablesOf(client: pg.Client): Promise<ReadonlyMap<string, Columns>> {
  const { rows } = await client.query<Record<'table' | 'column' | 'type', string>>(
    `select table_name::text as "table", column_name::text as "column", data_type::text as "type"
      from information_schema.columns where table_schema = current_schema()`,
  );
  const tables = new Map<string, Map<string, string>>();
  for (const { table, column, type } of rows) {
    tables.set(table, (tables.get(table) ?? new Map<string, string>()).set(column, type));
  }
  return tables;
}

const ended = (client: pg.Client): Promise<void> => client.end().catch(() => undefined);
