import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { noDatabaseLimits } from '../../packages/server/src/platform/db/database-limits.ts';
import { type CountedPool, postgresPool } from '../../packages/server/src/platform/db/postgres-pool.ts';
import { median } from './figures.ts';

const turns = 500;
const pageBytes = 8192;

/** Measurements on the PostgreSQL server that the gateways use. */
export class BenchDatabase {
  readonly #url: string;
  readonly #pool: CountedPool;

  constructor(url: string) {
    this.#url = url;
    this.#pool = postgresPool(url, noDatabaseLimits, { settings: { max: 1, application_name: 'headgate bench' } });
  }

  async ask(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const client = await this.#pool.connect();
    try {
      return (await client.query(statement, [])).rows as Record<string, unknown>[];
    } finally {
      client.release();
    }
  }

  /** URL of a new, empty database on the same server. */
  async create(name: string): Promise<string> {
    await this.ask(`drop database if exists ${name} with (force)`);
    await this.ask(`create database ${name}`);
    const url = new URL(this.#url);
    url.pathname = `/${name}`;
    return url.href;
  }

  /** Round trip of the smallest possible query. */
  async roundTripMs(): Promise<number> {
    const client = await this.#pool.connect();
    const times: number[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      const start = performance.now();
      await client.query('select 1', []);
      times.push(performance.now() - start);
    }
    client.release();
    return median(times);
  }

  /** Time to flush one page to the disk of the server's WAL; the server must run on this machine. */
  async flushMs(): Promise<number> {
    const [row] = await this.ask(`select current_setting('data_directory') as folder`);
    const file = join(String(row?.['folder']), 'headgate-bench-flush');
    const handle = openSync(file, 'w');
    try {
      const page = Buffer.alloc(pageBytes, 1);
      const write = (turn: number) => writeSync(handle, page, 0, pageBytes, turn * pageBytes);
      // Writes to a preallocated file, as PostgreSQL does.
      for (let turn = 0; turn < turns; turn += 1) write(turn);
      fdatasyncSync(handle);
      const times: number[] = [];
      for (let turn = 0; turn < turns; turn += 1) {
        const start = performance.now();
        write(turn);
        fdatasyncSync(handle);
        times.push(performance.now() - start);
      }
      return median(times);
    } finally {
      closeSync(handle);
      rmSync(file);
    }
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}
