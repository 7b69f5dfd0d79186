import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { runCachedStatement } from '../../platform/db/cached-statement.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { Charge } from './charge-writer.ts';
import { type JournalEntry, toJournalEntry, type UnreadableEntry } from './journal-entry.ts';

/** Entry ids reserved for one process, so that processes do not share ids. */
const numbersEach = 2 ** 32;
const processes = 2 ** 20;

/**
 * Charges that are durable but not yet in the tables. Journaling a batch takes one statement instead of eleven, and the
 * response waits only for this one.
 */
export class ChargeJournalRepository {
  readonly #database: Database;
  /** Each process uses its own id range, because a process that is shutting down may still write to the file. */
  #last: number;

  constructor(database: Database, last = randomInt(processes) * numbersEach) {
    this.#database = database;
    this.#last = last;
  }

  within(transaction: Transaction): ChargeJournalRepository {
    return new ChargeJournalRepository(transaction.database, this.#last);
  }

  /** Returns the id of the new entry. */
  async append(charges: readonly Charge[]): Promise<number> {
    const id = this.#last + 1;
    const row = toJournalEntry(id, charges);
    await runCachedStatement(this.#database, 'charge_journal', [row.id, row.version, row.charges], () =>
      this.#database.insertInto('charge_journal').values(row),
    );
    this.#last = id;
    return id;
  }

  /** Removes entries of this process and returns the ids that still existed. */
  async take(first: number, last: number): Promise<ReadonlySet<number>> {
    const { rows } = await sql<{ id: number }>`delete from charge_journal where id between ${first} and ${last}
      returning id`.execute(this.#database);
    return new Set(rows.map(({ id }) => id));
  }

  /** Removes and returns the oldest entries of any process. */
  takeOldest(max: number): Promise<readonly JournalEntry[]> {
    return this.#database
      .deleteFrom('charge_journal')
      .where('id', 'in', this.#database.selectFrom('charge_journal').select('id').orderBy('id').limit(max))
      .returning(['id', 'version', 'charges'])
      .execute();
  }

  /** Moves an unreadable entry to a separate table for inspection. */
  async setAside({ entry, reason }: UnreadableEntry): Promise<void> {
    const { id, version, charges } = entry;
    await this.#database
      .insertInto('set_aside_charges')
      .values({ entry: id, version, charges, reason, created_time: nowInSeconds() })
      .execute();
  }
}
