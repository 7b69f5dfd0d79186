import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { CounterState, Counters } from './counters.ts';

/** Number of increments between deletions of expired rows. */
const addsBeforeDeleting = 200;
/** Counts are not shared between nodes whose clocks differ by more than this. */
const largestSkewMs = 600_000;
/** Above any limit and far below the integer limit. */
const maxCounted = 1_000_000_000;

/**
 * Counters shared by all nodes, in an unlogged table that a database crash empties. Keys are hashed, because people
 * sometimes type passwords into the name field. PostgreSQL only.
 */
export class CounterRepository implements Counters {
  readonly #database: Database;
  readonly #name: string;
  readonly #ms: number;
  #adds = 0;

  /** `name` separates the counters of different limiters. */
  constructor(database: Database, name: string, seconds: number) {
    this.#database = database;
    this.#name = name;
    this.#ms = seconds * 1000;
  }

  async add(key: string): Promise<CounterState> {
    const now = Date.now();
    await this.#deleteOver(now);
    const counts = sql`counted.ends_ms > ${now} and counted.ends_ms <= ${this.#latestEnd(now)}`;
    const { rows } = await sql<{ count: number; ends_ms: number }>`
      insert into limit_counts as counted (key, count, ends_ms) values (${this.#hash(key)}, 1, ${now + this.#ms})
      on conflict (key) do update set
        count = case when ${counts} then greatest(0, least(counted.count, ${maxCounted})) + 1 else 1 end,
        ends_ms = case when ${counts} then counted.ends_ms else excluded.ends_ms end
      returning count, ends_ms`.execute(this.#database);
    const [{ count, ends_ms } = { count: 1, ends_ms: now }] = rows;
    return { count, msLeft: ends_ms - now };
  }

  async get(key: string): Promise<CounterState | undefined> {
    const now = Date.now();
    const found = await this.#database
      .selectFrom('limit_counts')
      .select(['count', 'ends_ms'])
      .where('key', '=', this.#hash(key))
      .where('ends_ms', '>', now)
      .where('ends_ms', '<=', this.#latestEnd(now))
      .executeTakeFirst();
    return found && { count: found.count, msLeft: found.ends_ms - now };
  }

  async forget(key: string): Promise<void> {
    await this.#database.deleteFrom('limit_counts').where('key', '=', this.#hash(key)).execute();
  }

  /** Latest possible end of a window; a later stored end is invalid. */
  #latestEnd(now: number): number {
    return now + this.#ms + largestSkewMs;
  }

  #hash(key: string): string {
    return createHash('sha256').update(`${this.#name}\0${key}`).digest('base64url');
  }

  async #deleteOver(now: number): Promise<void> {
    this.#adds += 1;
    if (this.#adds % addsBeforeDeleting !== 0) return;
    await this.#database.deleteFrom('limit_counts').where('ends_ms', '<=', now).execute();
  }
}
