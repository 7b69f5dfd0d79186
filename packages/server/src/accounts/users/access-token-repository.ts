import { neverExpires, userStatus } from '@headgate/contract';
import type { Insertable, Selectable } from 'kysely';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export type AccessTokenRow = Selectable<Schema['access_tokens']>;
export type NewAccessToken = Omit<Insertable<Schema['access_tokens']>, 'id'>;

export class AccessTokenRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): AccessTokenRepository {
    return new AccessTokenRepository(transaction.database);
  }

  /** The token's user and scope; undefined when the token or the user is not valid. */
  findUser(keyHash: string, now: number) {
    return this.#database
      .selectFrom('access_tokens')
      .innerJoin(currentTable(this.#database, 'users'), 'users.id', 'access_tokens.user_id')
      .selectAll('users')
      .select(['access_tokens.id as token_id', 'access_tokens.scope', 'access_tokens.used_time'])
      .where('access_tokens.key_hash', '=', keyHash)
      .where('users.status', '=', userStatus.enabled)
      .where((where) =>
        where.or([
          where('access_tokens.expired_time', '=', neverExpires),
          where('access_tokens.expired_time', '>', now),
        ]),
      )
      .executeTakeFirst();
  }

  ofUser(userId: number): Promise<AccessTokenRow[]> {
    return this.#database
      .selectFrom('access_tokens')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('id', 'desc')
      .execute();
  }

  insert(token: NewAccessToken): Promise<AccessTokenRow> {
    return this.#database.insertInto('access_tokens').values(token).returningAll().executeTakeFirstOrThrow();
  }

  async touch(id: number, used_time: number): Promise<void> {
    await this.#database.updateTable('access_tokens').set({ used_time }).where('id', '=', id).execute();
  }

  /** Returns the removed token's name; undefined when the user has no such token. */
  async remove(userId: number, id: number): Promise<string | undefined> {
    const query = this.#database.deleteFrom('access_tokens').where('id', '=', id).where('user_id', '=', userId);
    return (await query.returning('name').executeTakeFirst())?.name;
  }
}
