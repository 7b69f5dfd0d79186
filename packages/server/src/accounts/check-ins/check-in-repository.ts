import type { Database } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

/** The day of each user's last check-in, in days since 1970 (UTC). */
export class CheckInRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): CheckInRepository {
    return new CheckInRepository(transaction.database);
  }

  async lastDay(userId: number): Promise<number | undefined> {
    const row = await this.#database
      .selectFrom('check_ins')
      .select('day')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row?.day;
  }

  /** False if the user has checked in on this day or a later one. Of several concurrent callers only one succeeds. */
  async remember(userId: number, day: number): Promise<boolean> {
    const row = await this.#database
      .insertInto('check_ins')
      .values({ user_id: userId, day })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ day }).where('check_ins.day', '<', day))
      .returning('user_id')
      .executeTakeFirst();
    return row !== undefined;
  }
}
