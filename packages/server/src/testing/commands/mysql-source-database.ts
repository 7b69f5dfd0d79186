import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { OneApiSourceKind } from '@headgate/importer';
import { Program } from '../process/program.ts';
import { defaultValues, type SourceRow, tablesOnMysql } from './source-tables.ts';

interface Connection {
  query(sql: string, values?: readonly unknown[]): Promise<readonly [unknown, ...unknown[]]>;
  end(): Promise<void>;
}
const { createConnection } = createRequire(import.meta.url)('mysql2/promise') as {
  readonly createConnection: (settings: object) => Promise<Connection>;
};

export interface MariadbServer {
  readonly url: string;
  [Symbol.asyncDispose](): Promise<void>;
}

const script = fileURLToPath(new URL('../../../../../scripts/mariadb/own-mariadb.ts', import.meta.url));

/** A MariaDB server for the tests in one file. */
export async function startMariadb(): Promise<MariadbServer> {
  const program = new Program(process.execPath, [script], { environment: { PATH: process.env['PATH'] ?? '' } });
  const line = await program.line(/^ready at /);
  return {
    url: line.slice('ready at '.length),
    [Symbol.asyncDispose]: async () => {
      program.process.stdin.end();
      await program.exit;
    },
  };
}

/** MariaDB database with the tables of another gateway. */
export class MysqlSourceDatabase {
  readonly path: string;
  readonly #connection: Connection;

  private constructor(path: string, connection: Connection) {
    this.path = path;
    this.#connection = connection;
  }

  static async create(server: MariadbServer, kind: OneApiSourceKind): Promise<MysqlSourceDatabase> {
    const name = `gateway_${randomBytes(6).toString('hex')}`;
    const connection = await createConnection({ uri: server.url, multipleStatements: true, supportBigNumbers: true });
    await connection.query(`create database ${name} character set utf8mb4 collate utf8mb4_bin; use ${name}`);
    // Like gorm, but without strict mode, so that invalid values can be stored.
    await connection.query("set session sql_mode = 'ANSI_QUOTES'; set session max_statement_time = 0");
    for (const table of tablesOnMysql(kind)) await connection.query(table);
    return new MysqlSourceDatabase(`${server.url}/${name}`, connection);
  }

  /** Inserts rows; missing columns get their default test value or null. */
  async add(table: string, ...rows: readonly SourceRow[]): Promise<this> {
    for (const given of rows) {
      const row = { ...defaultValues[table], ...given };
      const columns = Object.keys(row).map((column) => `"${column}"`);
      await this.run(
        `insert into "${table}" (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
        Object.values(row).map((value) => (typeof value === 'bigint' ? String(value) : value)),
      );
    }
    return this;
  }

  async run(sql: string, values: readonly unknown[] = []): Promise<unknown> {
    return (await this.#connection.query(sql, values))[0];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection.end();
  }
}
