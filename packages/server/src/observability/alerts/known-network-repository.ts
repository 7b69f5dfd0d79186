import { isAdmin } from '@headgate/contract';
import type { Database } from '../../platform/db/database.ts';
import type { UserRow } from '../../platform/db/rows.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

/** Networks from which admins have signed in. */
export class KnownNetworkRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): KnownNetworkRepository {
    return new KnownNetworkRepository(transaction.database);
  }

  /** Undefined when the user is not an admin. */
  async admin(id: number): Promise<UserRow | undefined> {
    const user = await this.#database.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
    return user && isAdmin(user) ? user : undefined;
  }

  async isAnyKnown(userId: number): Promise<boolean> {
    const row = await this.#database
      .selectFrom('known_networks')
      .select('network')
      .where('user_id', '=', userId)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** True if the network was unknown; of several concurrent nodes, only one gets true. */
  async add(userId: number, network: string, seen_time: number): Promise<boolean> {
    const added = await this.#database
      .insertInto('known_networks')
      .values({ user_id: userId, network, seen_time })
      .onConflict((conflict) => conflict.columns(['user_id', 'network']).doNothing())
      .returning('network')
      .executeTakeFirst();
    if (added) return true;
    await this.#database
      .updateTable('known_networks')
      .set({ seen_time })
      .where('user_id', '=', userId)
      .where('network', '=', network)
      .execute();
    return false;
  }

  /** Drops the least recently seen networks. */
  async removeOldest(userId: number, max: number): Promise<void> {
    const kept = this.#database
      .selectFrom('known_networks')
      .select('network')
      .where('user_id', '=', userId)
      .orderBy('seen_time', 'desc')
      .orderBy('network')
      .limit(max);
    await this.#database
      .deleteFrom('known_networks')
      .where('user_id', '=', userId)
      .where('network', 'not in', kept)
      .execute();
  }
}
