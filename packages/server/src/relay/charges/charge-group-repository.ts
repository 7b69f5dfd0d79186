import { randomInt } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Charge } from './charge.ts';
import { groupStatement } from './group-statement.ts';
import { isRefused } from './refused-charges.ts';

/** Longer than any process keeps asking for a commit whose answer it has lost. */
export const forgottenAfterDays = 30;

/** Number of a group that is never committed; the others begin at 1. */
const probeNumber = 0;

/**
 * Groups of charges on PostgreSQL, whose commits may stay in doubt. A group's row is written by the statement that stores
 * the group, so that the two are there together or not at all, whatever became of the server: one that lost its last
 * commits has lost the row too. Numbers of transactions cannot say that: they are given out again.
 */
export class ChargeGroupRepository {
  readonly #database: Database;
  /** Tells the groups of this process from those of others. */
  readonly writer: number;

  constructor(database: Database, writer = randomInt(2 ** 48 - 1)) {
    this.#database = database;
    this.writer = writer;
  }

  /** Writes nothing when the group is stored already. */
  async store(number: number, charges: readonly Charge[]): Promise<void> {
    const { text, values } = groupStatement(this.writer, number, charges);
    await this.#database.executeQuery(CompiledQuery.raw(text, values));
  }

  /** False when the database refuses the content of a charge. Stores nothing. */
  async accepts(charge: Charge): Promise<boolean> {
    const transaction = await this.#database.startTransaction().execute();
    try {
      await new ChargeGroupRepository(transaction, this.writer).store(probeNumber, [charge]);
      return true;
    } catch (error) {
      if (!isRefused(error)) throw error;
      return false;
    } finally {
      await transaction.rollback().execute();
    }
  }

  /** Forgets groups before this one; nobody will ask for them again. */
  async forgetBefore(number: number): Promise<void> {
    await sql`delete from charge_groups where writer = ${this.writer} and number < ${number}`.execute(this.#database);
  }

  /** Forgets what processes left that did not end in good order. */
  async forgetOld(): Promise<void> {
    await sql`delete from charge_groups
      where stored_time < extract(epoch from now() - make_interval(days => ${forgottenAfterDays}))`.execute(
      this.#database,
    );
  }
}
