import type { OneApiSourceKind } from '@headgate/importer';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../database/test-database.ts';
import { defaultValues, flagColumns, type SourceRow, tablesOnPostgres } from './source-tables.ts';

/** PostgreSQL database with the tables of another gateway. */
export class PostgresSourceDatabase {
  readonly path: string;
  readonly #client: pg.Client;
  readonly #database: TestDatabase;

  private constructor(path: string, client: pg.Client, database: TestDatabase) {
    this.path = path;
    this.#client = client;
    this.#database = database;
  }

  static async create(kind: OneApiSourceKind): Promise<PostgresSourceDatabase> {
    const database = await createTestDatabase('postgres');
    const path = database.location.databaseUrl ?? '';
    const client = new pg.Client({ connectionString: path });
    await client.connect();
    for (const table of tablesOnPostgres(kind)) await client.query(table);
    return new PostgresSourceDatabase(path, client, database);
  }

  /** Inserts rows; missing columns get their default test value or null. */
  async add(table: string, ...rows: readonly SourceRow[]): Promise<this> {
    for (const given of rows) {
      const row = { ...defaultValues[table], ...given };
      const columns = Object.keys(row).map((column) => `"${column}"`);
      const parameters = columns.map((_, index) => `$${index + 1}`);
      const values = Object.entries(row).map(([column, value]) =>
        flagColumns.has(column) && value !== null ? value === 1 : value,
      );
      await this.#client.query(
        `insert into "${table}" (${columns.join(', ')}) values (${parameters.join(', ')})`,
        values,
      );
    }
    return this;
  }

  async run<Row extends object>(sql: string): Promise<Row[]> {
    return (await this.#client.query<Row>(sql)).rows;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
    await this.#database.drop();
  }
}
