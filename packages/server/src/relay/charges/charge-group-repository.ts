import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { Transaction } from '../../transaction.ts';

/** Longer than any process keeps asking for a commit whose answer it has lost. */
const forgottenAfterDays = 30;

/**
 * Which groups of charges are stored, on a database whose commits may stay in doubt. A group's row is written by the
 * transaction that stores the group, so that the two are there together or not at all, whatever became of the server: one
 * that lost its last commits has lost the row too. Numbers of transactions cannot say that: they are given out again.
 */
export class ChargeGroupRepository {
  readonly #database: Database;
  readonly #writer: number;

  constructor(database: Database, writer = randomInt(2 ** 48 - 1)) {
    this.#database = database;
    this.#writer = writer;
  }

  within(transaction: Transaction): ChargeGroupRepository {
    return new ChargeGroupRepository(transaction.database, this.#writer);
  }

  /**
   * False when the group is stored already. While an earlier attempt is still open this waits for its end: of two attempts
   * at the same group one at most is ever committed.
   */
  async add(number: number): Promise<boolean> {
    const { rows } = await sql`insert into charge_groups (writer, number) values (${this.#writer}, ${number})
      on conflict do nothing returning number`.execute(this.#database);
    return rows.length > 0;
  }

  /** Forgets groups before this one; nobody will ask for them again. */
  async forgetBefore(number: number): Promise<void> {
    await sql`delete from charge_groups where writer = ${this.#writer} and number < ${number}`.execute(this.#database);
  }

  /** Forgets what processes left that did not end in good order. */
  async forgetOld(): Promise<void> {
    await sql`delete from charge_groups
      where stored_time < extract(epoch from now() - make_interval(days => ${forgottenAfterDays}))`.execute(
      this.#database,
    );
  }
}
