import { userStatus } from '@headgate/contract';
import type { Selectable } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import type { Transaction } from '../transaction.ts';

type SessionRow = Selectable<Schema['sessions']>;

export class SessionRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): SessionRepository {
    return new SessionRepository(transaction.database);
  }

  async insert(session: SessionRow): Promise<void> {
    await this.#database.insertInto('sessions').values(session).execute();
  }

  /** The session's user as of now, with the time the session was last seen; undefined when it is older than that. */
  findUser(idHash: string, seenSince: number) {
    return this.#database
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .selectAll('users')
      .select('sessions.seen_time')
      .where('sessions.id_hash', '=', idHash)
      .where('sessions.seen_time', '>=', seenSince)
      .where('users.status', '=', userStatus.enabled)
      .executeTakeFirst();
  }

  async touch(idHash: string, seenTime: number): Promise<void> {
    await this.#database.updateTable('sessions').set({ seen_time: seenTime }).where('id_hash', '=', idHash).execute();
  }

  async remove(idHash: string): Promise<void> {
    await this.#database.deleteFrom('sessions').where('id_hash', '=', idHash).execute();
  }

  async removeOthers(userId: number, keptIdHash: string | undefined): Promise<void> {
    await this.#database
      .deleteFrom('sessions')
      .where('user_id', '=', userId)
      .$if(keptIdHash !== undefined, (query) => query.where('id_hash', '!=', keptIdHash ?? ''))
      .execute();
  }

  async removeUnseenSince(time: number): Promise<void> {
    await this.#database.deleteFrom('sessions').where('seen_time', '<', time).execute();
  }
}
