import { userStatus } from '@headgate/contract';
import type { Selectable } from 'kysely';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

/** Length of the hash prefix that identifies a session in lists. */
export const sessionNameLength = 16;

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

  /** The session's user and last use; undefined if last used before `seenSince`. */
  findUser(idHash: string, seenSince: number) {
    return this.#database
      .selectFrom('sessions')
      .innerJoin(currentTable(this.#database, 'users'), 'users.id', 'sessions.user_id')
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

  async isProvedSince(idHash: string, userId: number, time: number): Promise<boolean> {
    const query = this.#database.selectFrom('sessions').select('id_hash').where('id_hash', '=', idHash);
    const found = await query.where('user_id', '=', userId).where('proved_time', '>=', time).executeTakeFirst();
    return found !== undefined;
  }

  /** False when the user has no such session. */
  async prove(idHash: string, userId: number, proved_time: number): Promise<boolean> {
    const query = this.#database.updateTable('sessions').set({ proved_time }).where('id_hash', '=', idHash);
    const { numUpdatedRows } = await query.where('user_id', '=', userId).executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  async remove(idHash: string): Promise<void> {
    await this.#database.deleteFrom('sessions').where('id_hash', '=', idHash).execute();
  }

  ofUser(userId: number, seenSince: number): Promise<SessionRow[]> {
    return this.#database
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', userId)
      .where('seen_time', '>=', seenSince)
      .orderBy('seen_time', 'desc')
      .orderBy('created_time', 'desc')
      .limit(100)
      .execute();
  }

  /** False when the user has no session whose hash begins with this prefix. */
  async removeOfUser(userId: number, beginning: string): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('sessions')
      .where('user_id', '=', userId)
      .where(({ fn, val }) => fn<string>('substr', ['id_hash', val(1), val(sessionNameLength)]), '=', beginning)
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
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
