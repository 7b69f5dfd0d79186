import pg from 'pg';
import { expect } from 'vitest';
import type { TestDatabase } from './test-database.ts';

/** A PostgreSQL connection that locks rows, so that changes to them have to wait. */
export class LockedRows implements AsyncDisposable {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Locks the rows found by a `for update` query. */
  static async by({ location }: Pick<TestDatabase, 'location'>, query: string): Promise<LockedRows> {
    const client = new pg.Client({ connectionString: location.databaseUrl });
    await client.connect();
    await client.query('begin');
    const held = new LockedRows(client);
    await held.hold(query);
    return held;
  }

  async hold(query: string): Promise<void> {
    await this.#client.query(query);
  }

  /** Waits until a session waits for a row lock or an advisory lock. */
  async untilWaitedFor(kind: 'transactionid' | 'advisory' = 'transactionid'): Promise<void> {
    const waiting = `select count(*)::int as count from pg_locks where not granted and locktype = '${kind}'
      and pid in (select pid from pg_stat_activity where datname = current_database())`;
    await expect
      .poll(async () => {
        // Without this, the statistics would not change until the transaction ends.
        await this.#client.query('select pg_stat_clear_snapshot()');
        return (await this.#client.query(waiting)).rows[0]?.count;
      })
      .toBeGreaterThan(0);
  }

  /** Releases the rows. */
  async release(): Promise<void> {
    await this.#client.query('rollback');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
  }
}
