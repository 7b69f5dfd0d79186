import type { Selectable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

type Authenticator = Selectable<Schema['authenticators']>;

export class SecondFactorRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): SecondFactorRepository {
    return new SecondFactorRepository(transaction.database);
  }

  find(userId: number): Promise<Authenticator | undefined> {
    return this.#database.selectFrom('authenticators').selectAll().where('user_id', '=', userId).executeTakeFirst();
  }

  /** Stores an authenticator, replacing an existing one. */
  async store(authenticator: Authenticator): Promise<void> {
    const { secret_sealed, last_step } = authenticator;
    await this.#database
      .insertInto('authenticators')
      .values(authenticator)
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ secret_sealed, last_step }))
      .execute();
  }

  /** True for the first use of a time step later than all used ones, so that an observed code cannot be replayed. */
  async useStep(userId: number, step: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('authenticators')
      .set({ last_step: step })
      .where('user_id', '=', userId)
      .where('last_step', '<', step)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  /** True for exactly one caller. */
  async useBackupCode(userId: number, codeHash: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('backup_codes')
      .where('user_id', '=', userId)
      .where('code_hash', '=', codeHash)
      .executeTakeFirstOrThrow();
    return numDeletedRows === 1n;
  }

  async countBackupCodes(userId: number): Promise<number> {
    const { count } = await this.#database
      .selectFrom('backup_codes')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return Number(count);
  }

  async replaceBackupCodes(userId: number, hashes: readonly string[]): Promise<void> {
    await this.#database.deleteFrom('backup_codes').where('user_id', '=', userId).execute();
    if (hashes.length === 0) return;
    const rows = hashes.map((code_hash) => ({ user_id: userId, code_hash }));
    await this.#database.insertInto('backup_codes').values(rows).execute();
  }

  async remove(userId: number): Promise<void> {
    await this.#database.deleteFrom('authenticators').where('user_id', '=', userId).execute();
    await this.replaceBackupCodes(userId, []);
  }
}
