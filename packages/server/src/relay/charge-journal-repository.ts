import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { runBuilt } from '../db/built-statement.ts';
import type { Database } from '../db/database.ts';
import { logOf, valuesOf } from '../logs/log-values.ts';
import type { Transaction } from '../transaction.ts';
import type { Charge } from './charge.ts';

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
    const row = { id, charges: JSON.stringify(charges.map(packed)) };
    await runBuilt(this.#database, 'charge_journal', [row.id, row.charges], () =>
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

  /** Removes the oldest entries, whosever they are, and gives their charges. */
  async takeOldest(most: number): Promise<readonly Charge[]> {
    const rows = await this.#database
      .deleteFrom('charge_journal')
      .where('id', 'in', this.#database.selectFrom('charge_journal').select('id').orderBy('id').limit(most))
      .returning('charges')
      .execute();
    return rows.flatMap(({ charges }) => (JSON.parse(charges) as Packed[]).map(unpacked));
  }
}

type Packed = readonly [
  quota: number,
  user: number,
  token: number,
  isTokenLimited: boolean,
  channel: number,
  record: readonly unknown[] | null,
];

/** Without names, which would be half of the text. */
const packed = ({ quota, user, token, isTokenLimited, channel, record }: Charge): Packed => [
  quota,
  user,
  token,
  isTokenLimited,
  channel,
  record ? valuesOf(record) : null,
];

const unpacked = ([quota, user, token, isTokenLimited, channel, record]: Packed): Charge => ({
  ...{ quota, user, token, isTokenLimited, channel },
  record: record ? logOf(record) : undefined,
});
