import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { runBuilt } from '../../platform/db/built-statement.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { Charge } from './charge.ts';
import { entryOf, type JournalEntry, type UnreadableEntry } from './journal-entry.ts';

/** Entries that one process may number, before its numbers run into another's. */
const numbersEach = 2 ** 32;
const processes = 2 ** 20;

/**
 * Charges that are durable and not yet in the tables. A group of them is one statement in place of the tables' eleven,
 * and the reply waits for no more than that.
 */
export class ChargeJournalRepository {
  readonly #database: Database;
  /** A process that is on its way out may still use the file: each numbers its own. */
  #last: number;

  constructor(database: Database, last = randomInt(processes) * numbersEach) {
    this.#database = database;
    this.#last = last;
  }

  within(transaction: Transaction): ChargeJournalRepository {
    return new ChargeJournalRepository(transaction.database, this.#last);
  }

  /** The number of the new entry. */
  async append(charges: readonly Charge[]): Promise<number> {
    const id = this.#last + 1;
    const row = entryOf(id, charges);
    await runBuilt(this.#database, 'charge_journal', [row.id, row.version, row.charges], () =>
      this.#database.insertInto('charge_journal').values(row),
    );
    this.#last = id;
    return id;
  }

  /** Removes entries of this process, and says which were still there. */
  async take(first: number, last: number): Promise<ReadonlySet<number>> {
    const { rows } = await sql<{ id: number }>`delete from charge_journal where id between ${first} and ${last}
      returning id`.execute(this.#database);
    return new Set(rows.map(({ id }) => id));
  }

  /** Removes the oldest entries, whosever they are, and gives them. */
  takeOldest(most: number): Promise<readonly JournalEntry[]> {
    return this.#database
      .deleteFrom('charge_journal')
      .where('id', 'in', this.#database.selectFrom('charge_journal').select('id').orderBy('id').limit(most))
      .returning(['id', 'version', 'charges'])
      .execute();
  }

  /** Keeps an entry that cannot be read where it holds nobody up, and where somebody can look at it. */
  async setAside({ entry, reason }: UnreadableEntry): Promise<void> {
    const { id, version, charges } = entry;
    await this.#database
      .insertInto('set_aside_charges')
      .values({ entry: id, version, charges, reason, created_time: nowInSeconds() })
      .execute();
  }
}
