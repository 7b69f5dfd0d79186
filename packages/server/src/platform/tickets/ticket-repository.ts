import type { Selectable } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';

export type TicketRow = Selectable<Schema['tickets']>;

type Wanted = Pick<TicketRow, 'purpose' | 'ticket_hash' | 'browser_hash'>;

export class TicketRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** False if it already exists. */
  async insert(ticket: TicketRow): Promise<boolean> {
    const stored = await this.#database
      .insertInto('tickets')
      .values(ticket)
      .onConflict((conflict) => conflict.doNothing())
      .returning('ticket_hash')
      .executeTakeFirst();
    return stored !== undefined;
  }

  find(ticket: Wanted, now: number): Promise<TicketRow | undefined> {
    return this.#database
      .selectFrom('tickets')
      .selectAll()
      .where('ticket_hash', '=', ticket.ticket_hash)
      .where('purpose', '=', ticket.purpose)
      .where('browser_hash', '=', ticket.browser_hash)
      .where('expires_time', '>', now)
      .executeTakeFirst();
  }

  /** Deletes and returns it; succeeds for exactly one caller. */
  take(ticket: Wanted, now: number): Promise<TicketRow | undefined> {
    return this.#database
      .deleteFrom('tickets')
      .where('ticket_hash', '=', ticket.ticket_hash)
      .where('purpose', '=', ticket.purpose)
      .where('browser_hash', '=', ticket.browser_hash)
      .where('expires_time', '>', now)
      .returningAll()
      .executeTakeFirst();
  }

  async removeExpired(now: number): Promise<void> {
    await this.#database.deleteFrom('tickets').where('expires_time', '<=', now).execute();
  }
}
