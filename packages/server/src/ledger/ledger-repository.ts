import type { Ledger } from '@headgate/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { isPostgres } from '../db/migrations/columns.ts';

const mostOffenders = 100;

/** What was given to a user and is neither used nor left; nothing is reserved while no request runs. */
const drift = sql<number>`(credited - used_quota - quota)`;

export class LedgerRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds up the books of every user, the deleted ones included: their quota was given too. */
  async check(): Promise<Ledger> {
    const { users, off } = await this.#database
      .selectFrom('users')
      // As floating point: a sum too large for the database's integers would be an error where a large number will do.
      .select(({ fn }) => [fn.countAll<number>().as('users'), sql<number | null>`sum(abs(${drift}) * 1.0)`.as('off')])
      .executeTakeFirstOrThrow();
    return {
      users,
      drift: Math.min(off ?? 0, Number.MAX_SAFE_INTEGER),
      offenders: off ? await this.#offenders() : [],
      set_aside: isPostgres(this.#database) ? 0 : await this.#setAside(),
    };
  }

  async #setAside(): Promise<number> {
    const { entries } = await this.#database
      .selectFrom('set_aside_charges')
      .select(({ fn }) => fn.countAll<number>().as('entries'))
      .executeTakeFirstOrThrow();
    return entries;
  }

  /** The worst first. */
  #offenders() {
    return this.#database
      .selectFrom('users')
      .select(['id', 'username', drift.as('drift')])
      .where(drift, '!=', 0)
      .orderBy(sql`abs(${drift})`, 'desc')
      .orderBy('id')
      .limit(mostOffenders)
      .execute();
  }
}
