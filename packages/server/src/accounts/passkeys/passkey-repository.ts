import type { Selectable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export type PasskeyRow = Selectable<Schema['passkeys']>;

export class PasskeyRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): PasskeyRepository {
    return new PasskeyRepository(transaction.database);
  }

  ofUser(userId: number): Promise<PasskeyRow[]> {
    return this.#database
      .selectFrom('passkeys')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('created_time')
      .orderBy('id')
      .execute();
  }

  find(id: string): Promise<PasskeyRow | undefined> {
    return this.#database.selectFrom('passkeys').selectAll().where('id', '=', id).executeTakeFirst();
  }

  /** False when the passkey is already registered. */
  async insert(passkey: PasskeyRow): Promise<boolean> {
    const stored = await this.#database
      .insertInto('passkeys')
      .values(passkey)
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    return stored !== undefined;
  }

  async used(id: string, counter: number, used_time: number): Promise<void> {
    await this.#database.updateTable('passkeys').set({ counter, used_time }).where('id', '=', id).execute();
  }

  async remove(userId: number, id: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('passkeys')
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return numDeletedRows === 1n;
  }

  /** Returns the number removed. */
  async removeAll(userId: number): Promise<number> {
    const query = this.#database.deleteFrom('passkeys').where('user_id', '=', userId);
    return Number((await query.executeTakeFirstOrThrow()).numDeletedRows);
  }
}
