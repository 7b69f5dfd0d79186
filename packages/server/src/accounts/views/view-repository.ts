import type { SavedView } from '@headgate/contract';
import type { Database } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';

/** Saved views: named filters and sort orders of lists. */
export class ViewRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): ViewRepository {
    return new ViewRepository(transaction.database);
  }

  of(userId: number, list: string): Promise<SavedView[]> {
    return this.#of(userId, list).select(['name', 'query']).orderBy('name').execute();
  }

  /**
   * Number of the user's other views of this list. Locks the user, so concurrent saves wait until the transaction
   * ends.
   */
  async countOthers(userId: number, list: string, name: string): Promise<number> {
    await this.#database.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
    const { count } = await this.#of(userId, list)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('name', '<>', name)
      .executeTakeFirstOrThrow();
    return count;
  }

  async save(userId: number, list: string, { name, query }: SavedView): Promise<void> {
    await this.#database
      .insertInto('user_views')
      .values({ user_id: userId, list, name, query, created_time: nowInSeconds() })
      .onConflict((conflict) => conflict.columns(['user_id', 'list', 'name']).doUpdateSet({ query }))
      .execute();
  }

  async remove(userId: number, list: string, name: string): Promise<void> {
    await this.#database
      .deleteFrom('user_views')
      .where('user_id', '=', userId)
      .where('list', '=', list)
      .where('name', '=', name)
      .execute();
  }

  async removeAll(userId: number): Promise<void> {
    await this.#database.deleteFrom('user_views').where('user_id', '=', userId).execute();
  }

  #of(userId: number, list: string) {
    return this.#database.selectFrom('user_views').where('user_id', '=', userId).where('list', '=', list);
  }
}
