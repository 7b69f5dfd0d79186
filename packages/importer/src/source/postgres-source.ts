import type { Socket } from 'node:net';
import pg from 'pg';
import { closeWithTimeout, type ServerColumn, ServerSource, type SourceServer } from './server-source.ts';
import { type ImportSource, type SourceLimits, type SourceRow, sourceColumns } from './source.ts';
import { redactAddress } from './source-errors.ts';
import { safeNumber } from './source-values.ts';

/** Opens a gateway's database on a PostgreSQL server. */
export function openPostgresSource(address: string, limits: SourceLimits): Promise<ImportSource> {
  return ServerSource.open(redactAddress(address, 'PostgreSQL'), () => PostgresServer.connect(address, limits));
}

const { BOOL, FLOAT4, FLOAT8, INT2, INT4, INT8 } = pg.types.builtins;
/** All other types are returned as text. */
const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [BOOL, (text) => text === 't'],
  [FLOAT4, Number],
  [FLOAT8, Number],
  [INT2, Number],
  [INT4, Number],
  [INT8, (text) => safeNumber(BigInt(text))],
]);

/** Column types whose values are short and need no truncation. */
const shortTypes: ReadonlySet<string> = new Set([
  ...['bigint', 'integer', 'smallint', 'boolean', 'real', 'double precision'],
  ...['timestamp with time zone', 'timestamp without time zone'],
]);

/**
 * Timeouts are set inside the transaction, because a connection pooler may not allow session settings. With
 * `row_security` off, hidden rows raise an error instead of being skipped. In an SQL_ASCII database, invalid bytes are
 * returned unchanged. Times are text, in the same format regardless of the server's settings.
 */
const beginStatement = ({ statementMs, lockMs }: SourceLimits): string =>
  `begin transaction isolation level repeatable read read only;
  set local statement_timeout = ${statementMs}; set local lock_timeout = ${lockMs};
  set local idle_in_transaction_session_timeout = ${statementMs}; set local row_security = off;
  set local datestyle = 'ISO';
  select set_config('client_encoding', 'SQL_ASCII', true) where current_setting('server_encoding') = 'SQL_ASCII'`;

const tableNames = Object.keys(sourceColumns)
  .map((table) => `'${table}'`)
  .join(', ');

class PostgresServer implements SourceServer {
  readonly literal = pg.escapeLiteral;
  readonly #client: pg.Client;
  readonly #limits: SourceLimits;

  private constructor(client: pg.Client, limits: SourceLimits) {
    this.#client = client;
    this.#limits = limits;
  }

  static async connect(address: string, limits: SourceLimits): Promise<PostgresServer> {
    const client = new pg.Client({
      connectionString: address,
      connectionTimeoutMillis: limits.connectMs,
      query_timeout: limits.statementMs + limits.graceMs,
      keepAlive: true,
      application_name: 'headgate import',
      types: { getTypeParser: (oid: number) => parsers.get(oid) ?? String },
    });
    // An error on an idle connection would crash the process. The next query fails anyway.
    client.on('error', () => undefined);
    const server = new PostgresServer(client, limits);
    try {
      await client.connect();
      return server;
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  async begin(): Promise<void> {
    await this.#client.query(beginStatement(this.#limits));
  }

  async end(): Promise<void> {
    await this.#client.query('rollback');
  }

  /** Uses the tables that the search path resolves to. */
  async columns(): Promise<readonly ServerColumn[]> {
    const { rows } = await this.#client.query<ServerColumn>(
      `select table_name::text as "table", column_name::text as "column", data_type::text as "type",
        format('%I.%I', table_schema::text, table_name::text) as named
      from information_schema.columns where table_name in (${tableNames})
        and to_regclass(format('%I', table_name::text)) = to_regclass(format('%I.%I', table_schema::text, table_name::text))`,
    );
    return rows;
  }

  async query(sql: string): Promise<readonly SourceRow[]> {
    return (await this.#client.query<SourceRow>(sql)).rows;
  }

  quote(name: string): string {
    return `"${name}"`;
  }

  selectExpression(column: string, type: string, longest: number): string {
    if (shortTypes.has(type)) return column;
    return `left(${type === 'bytea' ? `encode(${column}, 'escape')` : `${column}::text`}, ${longest + 1})`;
  }

  async close(): Promise<void> {
    // The socket is missing from the driver's types.
    const { stream } = (this.#client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
    await closeWithTimeout(this.#client.end(), () => stream.destroy());
  }
}
