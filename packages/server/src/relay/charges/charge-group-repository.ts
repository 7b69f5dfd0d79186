import { randomInt } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Charge } from './charge.ts';
import { groupStatement } from './group-statement.ts';
import { isPermanentlyRejected } from './rejected-charges.ts';

/** Longer than any process retries a commit with an unknown outcome. */
export const groupRetentionDays = 30;

/** Group number that is never committed; real groups start at 1. */
const probeNumber = 0;

/**
 * Groups of charges on PostgreSQL, where the outcome of a commit may be unknown. The statement that stores a group
 * also writes the group's row, so either both exist or neither, even if a crashed server lost its last commits.
 * Transaction ids cannot prove this, because they are reused.
 */
export class ChargeGroupRepository {
  readonly #database: Database;
  /** Distinguishes this process's groups from those of other processes. */
  readonly writer: number;

  constructor(database: Database, writer = randomInt(2 ** 48 - 1)) {
    this.#database = database;
    this.writer = writer;
  }

  /** No-op if the group is already stored. */
  async store(number: number, charges: readonly Charge[]): Promise<void> {
    const { text, values } = groupStatement(this.writer, number, charges);
    await this.#database.executeQuery(CompiledQuery.raw(text, values));
  }

  /** Returns false if the database rejects the content of a charge. Stores nothing. */
  async accepts(charge: Charge): Promise<boolean> {
    const transaction = await this.#database.startTransaction().execute();
    try {
      await new ChargeGroupRepository(transaction, this.writer).store(probeNumber, [charge]);
      return true;
    } catch (error) {
      if (!isPermanentlyRejected(error)) throw error;
      return false;
    } finally {
      await transaction.rollback().execute();
    }
  }

  /** Deletes earlier groups, which are never looked up again. */
  async forgetBefore(number: number): Promise<void> {
    await sql`delete from charge_groups where writer = ${this.writer} and number < ${number}`.execute(this.#database);
  }

  /** Deletes groups of processes that did not shut down cleanly. */
  async forgetOld(): Promise<void> {
    await sql`delete from charge_groups
      where stored_time < extract(epoch from now() - make_interval(days => ${groupRetentionDays}))`.execute(
      this.#database,
    );
  }
}
