import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type MysqlAddress, mysqlAddress } from './mysql-address.ts';
import { closeWithTimeout, type ServerColumn, ServerSource, type SourceServer } from './server-source.ts';
import type { ImportSource, SourceLimits, SourceRow } from './source.ts';
import { withoutNulls } from './source-values.ts';

/** The part of the driver that is used. This module is only loaded for MySQL sources. */
interface Connection {
  query(question: {
    readonly sql: string;
    readonly timeout: number;
  }): Promise<readonly [answer: unknown, ...unknown[]]>;
  on(event: 'error', receive: () => void): void;
  end(): Promise<void>;
  destroy(): void;
}
/** A connection of the driver before it is established. */
interface Opening extends NodeJS.EventEmitter {
  readonly stream: object;
  promise(): Connection;
}
const { createConnection } = createRequire(import.meta.url)('mysql2') as {
  readonly createConnection: (settings: object) => Opening;
};

/** Opens a gateway's database on a MySQL or MariaDB server. */
export async function openMysqlSource(from: string, limits: SourceLimits): Promise<ImportSource> {
  const { place, ...address } = mysqlAddress(from);
  return ServerSource.open(place, () => MysqlServer.connect(address, limits));
}

/** MySQL and MariaDB use different names for the statement timeout, and old versions have none. */
const readChannelSettings = ({ statementMs, lockMs }: SourceLimits): readonly string[] => [
  `set session lock_wait_timeout = ${Math.ceil(lockMs / 1000)}`,
  `set session max_execution_time = ${statementMs}`,
  `set session max_statement_time = ${statementMs / 1000}`,
];

/** Column types whose values are short and need no truncation. */
const shortTypes: ReadonlySet<string> = new Set([
  ...['bigint', 'int', 'mediumint', 'smallint', 'tinyint', 'float', 'double', 'decimal'],
  ...['datetime', 'timestamp', 'date'],
]);

class MysqlServer implements SourceServer {
  readonly #connection: Connection;
  readonly #limits: SourceLimits;

  private constructor(connection: Connection, limits: SourceLimits) {
    this.#connection = connection;
    this.#limits = limits;
  }

  static async connect(address: Omit<MysqlAddress, 'place'>, limits: SourceLimits): Promise<MysqlServer> {
    const opening = createConnection({
      ...address,
      connectTimeout: limits.connectMs,
      charset: 'utf8mb4',
      // Inexact numbers and times are returned as strings.
      supportBigNumbers: true,
      dateStrings: true,
      jsonStrings: true,
      // Otherwise a malicious server could request local files.
      flags: ['-LOCAL_FILES'],
    });
    // If the host is an IP address, the driver passes Node no name to verify the certificate against, and Node would
    // use localhost. Node takes the name from the socket.
    Object.assign(opening.stream, { _host: address.host });
    await once(opening, 'connect');
    const connection = opening.promise();
    // An error on an idle connection would crash the process. The next query fails anyway.
    connection.on('error', () => undefined);
    const server = new MysqlServer(connection, limits);
    try {
      for (const setting of readChannelSettings(limits)) await server.#say(setting).catch(ignoreUnsupported);
      return server;
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  async begin(): Promise<void> {
    await this.#say('set transaction isolation level repeatable read');
    await this.#say('start transaction with consistent snapshot, read only');
  }

  async end(): Promise<void> {
    await this.#say('rollback');
  }

  /** Columns are aliased, because servers differ in the case of returned names. */
  async columns(): Promise<readonly ServerColumn[]> {
    const rows = await this.query(
      `select table_name as in_table, column_name as named, data_type as of_type
        from information_schema.columns where table_schema = database()`,
    );
    return rows.map(({ in_table, named, of_type }) => ({
      table: String(in_table),
      column: String(named),
      type: String(of_type),
      named: this.quote(String(in_table)),
    }));
  }

  async query(sql: string): Promise<readonly SourceRow[]> {
    const rows = (await this.#say(sql)) as Record<string, unknown>[];
    for (const row of rows) {
      for (const column in row) row[column] = withoutNulls(row[column]);
    }
    return rows;
  }

  quote(name: string): string {
    return `\`${name.replaceAll('`', '``')}\``;
  }

  selectExpression(column: string, type: string, longest: number): string {
    if (type === 'bit') return `${column} + 0`;
    return shortTypes.has(type) ? column : `left(convert(${column} using utf8mb4), ${longest + 1})`;
  }

  close(): Promise<void> {
    return closeWithTimeout(this.#connection.end(), () => this.#connection.destroy());
  }

  async #say(sql: string): Promise<unknown> {
    const { statementMs, graceMs } = this.#limits;
    return (await this.#connection.query({ sql, timeout: statementMs + graceMs }))[0];
  }
}

/** Ignores errors of unsupported settings; rethrows connection errors. */
function ignoreUnsupported(error: unknown): void {
  if (!(error instanceof Error && 'errno' in error && 'sqlState' in error)) throw error;
}
