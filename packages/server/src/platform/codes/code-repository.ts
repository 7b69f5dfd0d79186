import type { Selectable } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import type { Transaction } from '../db/transaction.ts';

type CodeRow = Selectable<Schema['codes']>;

export class CodeRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): CodeRepository {
    return new CodeRepository(transaction.database);
  }

  /** Replaces an older code; false if the older one is too recent. */
  async replace(code: CodeRow, maxExpiry: number): Promise<boolean> {
    const { code_hash, expires_time, attempts } = code;
    const stored = await this.#database
      .insertInto('codes')
      .values(code)
      .onConflict((conflict) =>
        conflict
          .columns(['purpose', 'address'])
          .doUpdateSet({ code_hash, expires_time, attempts })
          .where('codes.expires_time', '<=', maxExpiry),
      )
      .returning('purpose')
      .executeTakeFirst();
    return stored !== undefined;
  }

  /** Counts an attempt and returns the hash to compare; undefined if there is no code or no attempt left. */
  async attempt(purpose: string, address: string, limits: { now: number; most: number }): Promise<string | undefined> {
    const row = await this.#database
      .updateTable('codes')
      .set((update) => ({ attempts: update('attempts', '+', 1) }))
      .where('purpose', '=', purpose)
      .where('address', '=', address)
      .where('expires_time', '>', limits.now)
      .where('attempts', '<', limits.most)
      .returning('code_hash')
      .executeTakeFirst();
    return row?.code_hash;
  }

  /** True for exactly one caller. */
  async remove({ purpose, address, code_hash }: Pick<CodeRow, 'purpose' | 'address' | 'code_hash'>): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('codes')
      .where('purpose', '=', purpose)
      .where('address', '=', address)
      .where('code_hash', '=', code_hash)
      .executeTakeFirstOrThrow();
    return numDeletedRows === 1n;
  }

  async removeExpired(now: number): Promise<void> {
    await this.#database.deleteFrom('codes').where('expires_time', '<=', now).execute();
  }
}
